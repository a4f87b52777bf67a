import { testErrorsDoc } from "@vipscore/testkit/adapter/errorsDoc";
import { abortErrors } from "./parseFailure.ts";

testErrorsDoc(
  "move",
  abortErrors.map(({ abort, code }) => ({ text: `0x${abort.toString(16)}`, code })),
);
