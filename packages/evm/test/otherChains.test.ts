import { describe } from "vitest";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testPush } from "@vipscore/testkit/adapter/push";
import { evmChains, hardhat } from "./evmChain.ts";
import { testEvmScoreContract } from "./testEvmScoreContract.ts";

describe.each(evmChains.filter((chain) => chain !== hardhat))("on $name", (chain) => {
  describe("the port", () => {
    testEvmScoreContract(chain);
  });

  describe("a push", () => {
    testPush(useChain(chain.start));
  });
});
