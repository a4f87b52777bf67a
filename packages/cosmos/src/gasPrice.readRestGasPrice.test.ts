import { expect, test } from "vitest";
import { openRest } from "@vipscore/core/wire";
import { refusal, script } from "@vipscore/testkit/scriptedServer";
import { readL1GasPrice, readRestGasPrice } from "./gasPrice.ts";

const nodePath = "/cosmos/base/node/v1beta1/config";
const rollupPath = "/opinit/opchild/v1/params";

async function priceOf(node: string | undefined, rollup: readonly object[] | undefined) {
  const { url } = await script({
    ...(node === undefined ? {} : { [nodePath]: [{ body: { minimum_gas_price: node } }] }),
    ...(rollup === undefined ? {} : { [rollupPath]: [{ body: { params: { min_gas_prices: rollup } } }] }),
  });
  return readRestGasPrice(openRest(url), undefined);
}

test("a chain that does not charge fees", async () => {
  expect(await priceOf("", [])).toBeUndefined();
  expect(await priceOf("0umin", undefined)).toBeUndefined();
  expect(await priceOf(undefined, undefined)).toBeUndefined();
});

test("the higher of the node's and the rollup's price", async () => {
  const rollup = [{ denom: "umin", amount: "0.150000000000000000" }];
  expect(await priceOf("0.015umin", undefined)).toEqual({ denom: "umin", amount: 15n, per: 1000n });
  expect(await priceOf("", rollup)).toMatchObject({ denom: "umin", per: 10n ** 18n });
  expect(await priceOf("0.2umin", rollup)).toEqual({ denom: "umin", amount: 2n, per: 10n });
  expect(await priceOf("0.1umin", rollup)).toMatchObject({ amount: 15n * 10n ** 16n });
  // Prices of two denominations cannot be compared: the node's counts.
  expect(await priceOf("0.1uinit", rollup)).toEqual({ denom: "uinit", amount: 1n, per: 10n });
});

test("an unreadable price does not count as no price", async () => {
  const unreadable = [priceOf("much", []), priceOf("", [{ denom: "umin", amount: "-1" }])];
  for (const { reason } of (await Promise.allSettled(unreadable)) as readonly PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ code: "NODE_BAD_RESPONSE" });
  }
  const { url } = await script({ [nodePath]: [refusal("internal")] });
  await expect(readRestGasPrice(openRest(url), undefined)).rejects.toMatchObject({ code: "NODE_ERROR" });
});

/** Reads the price of an L1 whose base prices these are, behind a node with its own minimum. */
async function priceOnL1(basePrices: readonly object[], node = "") {
  const { url } = await script({
    "/initia/tx/v1/gas_prices": [{ body: { gas_prices: basePrices } }],
    "/initia/move/v1/params": [{ body: { params: { base_denom: "uinit" } } }],
    [nodePath]: [{ body: { minimum_gas_price: node } }],
  });
  return readL1GasPrice(openRest(url), undefined);
}

test("L1: its base price in its own token, with a margin, whatever the node's minimum", async () => {
  const prices = [
    { denom: "ibc/0471", amount: "3.000000000000000000" },
    { denom: "uinit", amount: "0.150000000000000000" },
  ];
  const base = { denom: "uinit", amount: 15n * 10n ** 16n, per: 10n ** 18n };
  const accepted = [{ ...base, denom: "ibc/0471", amount: 3n * 10n ** 18n }, base];
  const price = { denom: "uinit", amount: 45n * 10n ** 16n, per: 2n * 10n ** 18n };
  for (const node of ["", "0.015uinit"]) expect(await priceOnL1(prices, node)).toEqual({ base, price, accepted });
  expect(await priceOnL1(prices, "2uinit")).toEqual({ base, accepted, price: { denom: "uinit", amount: 2n, per: 1n } });
});

test("L1 without a base price: the node's minimum", async () => {
  const price = { denom: "uinit", amount: 15n, per: 1000n };
  expect(await priceOnL1([], "0.015uinit")).toEqual({ base: undefined, price, accepted: [] });
  expect(await priceOnL1([{ denom: "uinit", amount: "0" }])).toBeUndefined();
  const { url } = await script({ [nodePath]: [{ body: { minimum_gas_price: "0.015uinit" } }] });
  expect(await readL1GasPrice(openRest(url), undefined)).toEqual({ base: undefined, price, accepted: [] });
});
