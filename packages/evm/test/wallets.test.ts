import { readFileSync } from "node:fs";
import type { EIP1193Provider } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { createHardhatProvider, testAccounts } from "@vipscore/localnet";
import { done, readRows, rowsOf, sorted, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { started } from "@vipscore/testkit/started";
import { connectEvm, deployEvm, type EvmAccount } from "../src/index.ts";
import { walletAccount } from "./walletExample.ts";

const chain = started(() => createHardhatProvider());

/** A wallet in this process: it has one key, and asks the chain for everything else. */
function wallet(): EIP1193Provider {
  const key = privateKeyToAccount(testAccounts.operator.privateKey);
  const request = async ({ method, params }: { method: string; params: readonly unknown[] }): Promise<unknown> => {
    if (method === "eth_accounts") return [key.address];
    if (method !== "eth_signTransaction") return chain.request({ method, params });
    const [{ to, data, chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }] = params as readonly [
      Readonly<Record<string, `0x${string}`>>,
    ];
    return key.signTransaction({
      type: "eip1559",
      chainId: Number(chainId),
      to,
      data,
      nonce: Number(nonce),
      gas: BigInt(gas ?? 0),
      maxFeePerGas: BigInt(maxFeePerGas ?? 0),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 0),
    });
  };
  return { request } as unknown as EIP1193Provider;
}

const accounts: readonly (readonly [string, () => Promise<EvmAccount>])[] = [
  ["from a mnemonic", () => Promise.resolve(mnemonicToAccount(testAccounts.deployer.mnemonic))],
  ["of a wallet, as in the README", () => walletAccount(wallet())],
];

test.each(accounts)("a viem account %s signs", async (_, open) => {
  const account = await open();
  const { address } = await deployEvm({ provider: chain, account, initStage: stage(1n) });
  const contract = await connectEvm({ provider: chain, address, account });
  await writeRows(contract, rowsOf(3));
  await done(contract, { kind: "finalizeStage", stage: stageOne });
  expect(sorted(await readRows(contract))).toEqual(sorted(rowsOf(3)));
});

test("the example is the one in the README", () => {
  expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(
    readFileSync(new URL("walletExample.ts", import.meta.url), "utf8"),
  );
});
