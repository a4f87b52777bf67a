import { readFileSync } from "node:fs";
import { Secp256k1HdWallet } from "@cosmjs/amino";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { readRows, rowsOf, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { testWallet } from "@vipscore/testkit/adapter/wallet";
import { connectWallet } from "./walletExample.ts";
import { startWasm } from "./wasmChain.ts";

const { deployer, operator } = testAccounts;
const prefix = "init";

const chain = useChain(() => startWasm());

testWallet(chain, "DirectSecp256k1HdWallet", () => DirectSecp256k1HdWallet.fromMnemonic(deployer.mnemonic, { prefix }));
testWallet(chain, "Secp256k1HdWallet, amino only", () => Secp256k1HdWallet.fromMnemonic(operator.mnemonic, { prefix }));

test("the example of the README connects", async () => {
  expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(
    readFileSync(new URL("walletExample.ts", import.meta.url), "utf8"),
  );
  const { mnemonic } = await DirectSecp256k1HdWallet.generate(12, { prefix });
  const actor = await chain().fundWallet(await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix }));
  const { address } = await actor.deployOurs({ initStage: stageOne });
  const contract = await connectWallet(chain().url, address, mnemonic);
  await writeRows(contract, rowsOf(3));
  expect(await readRows(contract)).toHaveLength(3);
});
