import { testErrorsDoc } from "@vipscore/testkit/adapter/errorsDoc";
import { contractErrors } from "./parseFailure.ts";

testErrorsDoc(
  "wasm",
  contractErrors.map(({ variant, code }) => ({ text: variant, code })),
);
