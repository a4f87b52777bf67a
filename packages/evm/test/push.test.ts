import { describe } from "vitest";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { evmChains } from "./evmChain.ts";

describe.each(evmChains)("on $name", ({ start }) => {
  testPush(useChain(start));
});
