import { MsgSend } from "@initia/initia.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { started } from "@vipscore/testkit/started";
import { collectSource } from "../collectSource.ts";
import { openMoveCaller, type MoveCaller } from "./moveCaller.ts";
import { openWasmCaller, type WasmCaller } from "./wasmCaller.ts";

const long = parseAccount(`0x${"ab".repeat(32)}`, { accountBytes: [32] });
const poor = `0x${"77".repeat(20)}` as const;

const balancesOf = (fields: string) => `kind = "balances"\naccounts = "accounts.csv"\n${fields}`;

/** The values of accounts after a block. */
async function read(node: CosmosNode, accounts: readonly string[], fields: string, last: number) {
  const files = { "accounts.csv": `address\n${accounts.join("\n")}\n` };
  const { rows } = await collectSource(node, fields, { blocks: [last, last], files });
  const expected = accounts.map((account) => parseAccount(account, { accountBytes: [20, 32] }));
  expect(rows.map(([address]) => address)).toEqual(expected);
  return rows.map(([, value]) => value);
}

describe("Move", () => {
  const node = started(() => startVipnode({ vm: "move" }));
  let caller: MoveCaller;
  beforeAll(() => {
    caller = openMoveCaller(node);
  });

  const create = (name: string) => {
    const mutable = Array.from({ length: 6 }, () => true);
    return caller.message("simple_nft::create_collection", "", null, name, "", ...mutable, "0.01");
  };

  test("balances are in a denomination", async () => {
    const { height } = await caller.send(create("e"));
    const [held, none] = await read(node, [caller.address, long], balancesOf(`denom = "umin"`), height);
    expect(held).toBeGreaterThan(0n);
    expect(none).toBe(0n);
  });

  test("balances after each block are those of an independent model", async () => {
    const accounts = [caller.address, `0x${"88".repeat(20)}`, `0x${"99".repeat(32)}`] as const;
    const payment = fc.record({
      to: fc.constantFrom(1, 2),
      // The second is more than the chain has.
      amount: fc.oneof({ weight: 5, arbitrary: fc.bigInt(1n, 10n ** 9n) }, fc.constant(10n ** 30n)),
    });
    const transactions = fc.array(fc.array(payment, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 8 });
    const [sent = []] = fc.sample(transactions, { seed: fuzzSeed(), numRuns: 1 });
    const addresses = accounts.map((account) => formatBech32(parseAccount(account, { accountBytes: [20, 32] })));
    const pay = (payments: readonly { readonly to: number; readonly amount: bigint }[]) =>
      caller.send(
        ...payments.map(
          ({ to, amount }) => new MsgSend(addresses[0] ?? "", addresses[to] ?? "", { umin: `${amount}` }),
        ),
      );
    const balances = balancesOf(`denom = "umin"`);
    const { height: start } = await pay([{ to: 1, amount: 1n }]);
    const held = (await read(node, accounts, balances, start)).map((amount) => BigInt(amount ?? 0));
    const states: (readonly [height: number, held: readonly bigint[]])[] = [];
    for (const payments of sent) {
      const { height } = await pay(payments);
      // All payments of a transaction count, or none.
      const isPaid = payments.every(({ amount }) => amount <= 10n ** 9n);
      for (const { to, amount } of isPaid ? payments : []) {
        held[0] = (held[0] ?? 0n) - amount;
        held[to] = (held[to] ?? 0n) + amount;
      }
      states.push([height, [...held]]);
    }
    for (const [height, expected] of states) expect(await read(node, accounts, balances, height)).toEqual(expected);
  });

  test("a token of EVM, and no denomination, are refused", async () => {
    const { height } = await caller.send(create("d"));
    for (const fields of [`token = "${poor}"`, ""]) {
      await expect(read(node, [poor], balancesOf(fields), height)).rejects.toMatchObject({
        code: "POLICY_INVALID",
      });
    }
  });
});

describe("Wasm", () => {
  const node = started(() => startVipnode({ vm: "wasm" }));
  let caller: WasmCaller;
  beforeAll(async () => {
    caller = await openWasmCaller(node);
  });
  afterAll(() => caller.close());

  const pay = (amount: string) =>
    caller.send({
      typeUrl: "/cosmos.bank.v1beta1.MsgSend",
      value: { fromAddress: caller.address, toAddress: formatBech32(long), amount: [{ denom: "umin", amount }] },
    });

  test("balances after each block are those of an independent model, and not of a later block", async () => {
    const payments = fc.array(fc.bigInt(1n, 10n ** 9n), { minLength: 4, maxLength: 6 });
    const [amounts = []] = fc.sample(payments, { seed: fuzzSeed(), numRuns: 1 });
    const balances = balancesOf(`denom = "umin"`);
    const accounts = [caller.address, poor, long];
    const { height: start } = await pay("1");
    const heights: number[] = [];
    for (const amount of amounts) heights.push((await pay(`${amount}`)).height);
    let held = await read(node, accounts, balances, start);
    for (const [index, height] of heights.entries()) {
      const changes = [-amounts[index]!, 0n, amounts[index]!];
      held = held.map((before, place) => BigInt(before ?? 0) + changes[place]!);
      expect(await read(node, accounts, balances, height)).toEqual(held);
    }
    expect(held[1]).toBe(0n);
    expect(await read(node, accounts, balancesOf(`denom = "uother"\nmay_be_empty = true`), start)).toEqual([
      0n,
      0n,
      0n,
    ]);
    await expect(read(node, accounts, balancesOf(`denom = "uother"`), start)).rejects.toMatchObject({
      code: "SOURCE_EMPTY",
    });
  });
});
