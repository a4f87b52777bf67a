import { readFileSync } from "node:fs";
import { DirectEthSecp256k1HdWallet, DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { startVipnode } from "@vipscore/localnet";
import { done, readRows, rowsOf, sorted, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { started } from "@vipscore/testkit/started";
import { connectWasm, deployWasm } from "../src/index.ts";
import { fundAccount } from "./testContract.ts";
import { walletAccount } from "./walletExample.ts";

const node = started(() => startVipnode({ vm: "wasm" }));

test.each([
  [118, DirectSecp256k1HdWallet],
  [60, DirectEthSecp256k1HdWallet],
] as const)("a wallet of cosmjs with coin type %i signs, as in the README", async (_, wallets) => {
  const { rpcUrl } = node;
  const account = await fundAccount(node, await walletAccount(await wallets.generate(12, { prefix: "init" })));
  const { address } = await deployWasm({ rpcUrl, account, initStage: stage(1n) });
  const contract = await connectWasm({ rpcUrl, address, account });
  await writeRows(contract, rowsOf(3));
  await done(contract, { kind: "finalizeStage", stage: stageOne });
  expect(sorted(await readRows(contract))).toEqual(sorted(rowsOf(3)));
});

test("the example is the one in the README", () => {
  expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(
    readFileSync(new URL("walletExample.ts", import.meta.url), "utf8"),
  );
});
