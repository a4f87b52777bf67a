import { expect, test } from "vitest";
import { openRest } from "@vipscore/core/wire";
import { refusal, script } from "@vipscore/testkit/scriptedServer";
import { readRestGasPrice } from "./gasPrice.ts";

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
