import { readFileSync } from "node:fs";
import { createWalletClient, custom, getAddress, type TransactionSerializableEIP1559 } from "viem";
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { createHardhatProvider, testAccounts } from "@vipscore/localnet";
import { done, readRows, rowsOf, sorted, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { started } from "@vipscore/testkit/started";
import { connectEvm, deployEvm, evmProviderAccount, type EvmProvider } from "../src/index.ts";
import { connectWallet } from "./walletExample.ts";

const key = privateKeyToAccount(testAccounts.operator.privateKey);

const chain = started(() => createHardhatProvider());

/** The fields of a transaction as a wallet gets them, in hex. */
type Asked = Readonly<Record<"to" | "data" | "nonce" | "gas" | "maxFeePerGas" | "maxPriorityFeePerGas", `0x${string}`>>;
type Sign = (transaction: TransactionSerializableEIP1559) => Promise<unknown>;

/** A wallet in this process: it has one key, and asks the chain for everything else. */
function walletOf(sign: Sign = (transaction) => key.signTransaction(transaction)): EvmProvider {
  return {
    request: async ({ method, params }) => {
      if (method === "eth_accounts") return [key.address];
      if (method !== "eth_signTransaction") return chain.request({ method, params: params as readonly unknown[] });
      const [{ to, data, nonce, gas, ...fees }] = params as readonly [Asked];
      return sign({
        type: "eip1559",
        chainId: 31337,
        to,
        data,
        nonce: Number(nonce),
        gas: BigInt(gas),
        maxFeePerGas: BigInt(fees.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(fees.maxPriorityFeePerGas),
      });
    },
  };
}

const wallets: readonly (readonly [string, EvmProvider])[] = [
  ["in this process", walletOf()],
  [
    "that returns an object, as geth does",
    walletOf(async (transaction) => ({ raw: await key.signTransaction(transaction), tx: {} })),
  ],
  [
    "that sets other fees",
    walletOf(({ maxFeePerGas = 0n, ...more }) => key.signTransaction({ ...more, maxFeePerGas: 2n * maxFeePerGas })),
  ],
  ["that is viem's client over a wallet", createWalletClient({ transport: custom(walletOf()) })],
];

describe("a wallet that signs through EIP-1193", () => {
  test.each(wallets)("%s", async (_, provider) => {
    const account = await evmProviderAccount(provider);
    const { address } = await deployEvm({ provider, account, initStage: stage(1n) });
    const contract = await connectWallet(provider, address);
    await writeRows(contract, rowsOf(3));
    await done(contract, { kind: "finalizeStage", stage: stageOne });
    expect(sorted(await readRows(contract))).toEqual(sorted(rowsOf(3)));
  });

  test("the example is the one in the README", () => {
    expect(readFileSync(new URL("../README.md", import.meta.url), "utf8")).toContain(
      readFileSync(new URL("walletExample.ts", import.meta.url), "utf8"),
    );
  });
});

test("a viem account from a mnemonic signs", async () => {
  const account = mnemonicToAccount(testAccounts.deployer.mnemonic);
  const { address } = await deployEvm({ provider: chain, account, initStage: stage(1n) });
  const contract = await connectEvm({ provider: chain, address, account });
  await writeRows(contract, rowsOf(2));
  expect(await readRows(contract)).toHaveLength(2);
});

describe("is refused, and nothing is sent:", () => {
  const transaction: TransactionSerializableEIP1559 = {
    type: "eip1559",
    chainId: 31337,
    nonce: 7,
    to: getAddress(`0x${"ab".repeat(20)}`),
    data: "0x1234",
    value: 0n,
    gas: 21_000n,
    maxFeePerGas: 5n,
    maxPriorityFeePerGas: 0n,
  };
  const rejected = (code: number) => () => Promise.reject(Object.assign(new Error("no"), { code }));

  test.each<readonly [string, Sign, string]>([
    ["a wallet whose person refuses", rejected(4001), "DEVICE_REFUSED"],
    ["a wallet that only sends", rejected(4200), "DEVICE_FAILED"],
    ["another call", (asked) => key.signTransaction({ ...asked, data: "0x" }), "DEVICE_FAILED"],
    ["another sequence", (asked) => key.signTransaction({ ...asked, nonce: 8 }), "DEVICE_FAILED"],
    ["another chain", (asked) => key.signTransaction({ ...asked, chainId: 1 }), "DEVICE_FAILED"],
    ["another key", (asked) => privateKeyToAccount(generatePrivateKey()).signTransaction(asked), "DEVICE_FAILED"],
    [
      "another kind of transaction",
      () => key.signTransaction({ type: "legacy", nonce: 7, gasPrice: 1n }),
      "DEVICE_FAILED",
    ],
    ["an answer without a transaction", () => Promise.resolve({ tx: {} }), "DEVICE_FAILED"],
  ])("%s", async (_, sign, code) => {
    const account = await evmProviderAccount(walletOf(sign));
    await expect(account.signTransaction(transaction)).rejects.toMatchObject({ code });
  });

  test("a wallet that shows no account", async () => {
    const wallet = { request: () => Promise.resolve([]) };
    await expect(evmProviderAccount(wallet)).rejects.toMatchObject({ code: "KEY_INVALID" });
  });
});
