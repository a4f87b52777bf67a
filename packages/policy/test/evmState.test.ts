import { beforeAll, describe, expect, test } from "vitest";
import { JsonRpcFailure } from "@vipscore/localnet";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import { collectSource } from "./collectSource.ts";
import { alice, bob } from "./policyFolder.ts";

const nobody = `0x${"77".repeat(20)}`;
const files = { "accounts.csv": `note,address\na,${alice}\nb,${nobody}\nc,${bob}\n` };

const chain = playHardhat();
let from: string;
let vault: string;
let stubborn: string;
/** Alice has 5 and bob 7; then alice has 10^38, which has 39 digits. */
let early: number;
let late: number;

beforeAll(async () => {
  [from = ""] = (await chain.request({ method: "eth_accounts" })) as readonly string[];
  // Called with an account, it returns what is stored for it; with an account and a number, it stores that.
  vault = (await send({ data: "0x7936602414600f5760243560043555005b600435545f5260205ff35f52601a6006f3" })).created;
  stubborn = (await send({ data: "0x625f5ffd5f526003601df3" })).created;
  await put(alice, 5n);
  early = await put(bob, 7n);
  await send({ to: nobody, value: "0x9" });
  await put(alice, 10n ** 38n);
  late = await put(bob, 1n);
  await chain.request({ method: "hardhat_mine", params: ["0x2"] });
});

async function send(call: object): Promise<{ readonly created: string; readonly height: number }> {
  const hash = await chain.request({ method: "eth_sendTransaction", params: [{ from, ...call }] });
  const receipt = (await chain.request({ method: "eth_getTransactionReceipt", params: [hash] })) as {
    readonly blockNumber: string;
    readonly contractAddress: string;
  };
  return { created: receipt.contractAddress, height: Number(receipt.blockNumber) };
}

async function put(account: string, value: bigint): Promise<number> {
  const word = (hex: string) => hex.padStart(64, "0");
  return (await send({ to: vault, data: `0x00000000${word(account.slice(2))}${word(value.toString(16))}` })).height;
}

const native = `kind = "balances"\naccounts = "accounts.csv"`;
const held = () => `${native}\ntoken = "${vault}"`;

const collect = async (fields: string, last: number, more: Readonly<Record<string, string>> = {}) => {
  const node = { vm: "evm", rpcUrl: chain.url, chainId: "31337" } as const;
  return (await collectSource(node, fields, { blocks: [1, last], files: { ...files, ...more } })).rows;
};

test("balances are read after the window's last block, in the file's order", async () => {
  expect(await collect(held(), early)).toEqual([
    [alice, 5n],
    [nobody, 0n],
    [bob, 7n],
  ]);
});

test("without a token, balances are the native ones", async () => {
  const read = async (last: number) =>
    (await collect(`${native}\nmay_be_empty = true`, last)).map(([, amount]) => amount);
  expect((await read(early))[1]).toBe(0n);
  expect((await read(late))[1]).toBe(9n);
});

describe("an answer that is not an integer of the column is refused:", () => {
  test.each([
    ["beyond 38 digits", () => held(), `${10n ** 38n}`, []],
    ["a contract that fails, with the node's words", () => held().replace(vault, stubborn), "", [expect.any(String)]],
    ["no contract", () => held().replace(vault, nobody), "", []],
  ])("%s", async (_, fields, value, metaMessages) => {
    await expect(collect(fields(), late)).rejects.toMatchObject({
      code: "SOURCE_INVALID",
      shortMessage: expect.stringMatching(new RegExp(`${alice} in block ${late}\\b.*${value}`)) as unknown,
      metaMessages,
    });
  });
});

describe("another state is never read:", () => {
  const isOld = (params: readonly unknown[]) => params[1] !== "latest" && Number(params[1]) <= late;

  test.each(["token", "native"])("a %s balance at a node that has pruned the block", async (kind) => {
    const fields = kind === "token" ? held() : native;
    chain.instead = (method, params) => {
      if (!/eth_(call|getBalance)/.test(method) || !isOld(params)) return undefined;
      throw new JsonRpcFailure(-32000, "missing trie node 0a1b (path ) state 0x01 is not available");
    };
    await expect(collect(fields, early)).rejects.toMatchObject({
      name: "PrunedState",
      shortMessage: expect.stringContaining(`block ${early} `) as unknown,
    });
  });

  test("at a node that runs all calls in its newest block", async () => {
    chain.instead = (method, params) =>
      method === "eth_call" ? chain.request({ method, params: [params[0], "latest"] }) : undefined;
    await expect(collect(held(), early)).rejects.toMatchObject({
      code: "NODE_ERROR",
      shortMessage: expect.stringMatching(new RegExp(`\\bblock ${early}\\b`)) as unknown,
    });
  });

  test("at the newest block, whose state a node may not have yet", async () => {
    const newest = Number(await chain.request({ method: "eth_blockNumber" }));
    await expect(collect(held(), newest)).rejects.toMatchObject({ code: "WINDOW_OPEN" });
  });
});

describe("a definition is refused:", () => {
  test.each([
    ["an account twice", held, { "accounts.csv": `address\n${alice}\n${alice}\n` }],
    ["a long account", held, { "accounts.csv": `address\n0x${"ab".repeat(32)}\n` }],
    ["a denomination", () => `${native}\ndenom = "uinit"`, {}],
    ["a token and a denomination", () => `${held()}\ndenom = "uinit"`, {}],
  ])("%s", async (_, fields, more) => {
    await expect(collect(fields(), early, more)).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });
});
