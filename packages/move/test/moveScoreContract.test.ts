import { expect, test } from "vitest";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testCosmosContract } from "@vipscore/testkit/adapter/cosmosContract";
import { testScoreContract } from "@vipscore/testkit/adapter/scoreContract";
import { startMove } from "./moveChain.ts";

const chain = useChain(() => startMove({ over: "rpcUrl" }));

testScoreContract(chain, [1999, 2000, 2001, 4500]);
testCosmosContract(chain);

test("a module's address is its publisher's", async () => {
  const publisher = await chain().fund();
  const { identity } = await publisher.deploy("ours");
  expect(identity.address).toBe(publisher.account);
});
