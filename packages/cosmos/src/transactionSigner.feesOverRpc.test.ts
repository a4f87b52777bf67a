import { BinaryWriter } from "cosmjs-types/binary";
import { QueryAllBalancesResponse } from "cosmjs-types/cosmos/bank/v1beta1/query";
import { ConfigResponse } from "cosmjs-types/cosmos/base/node/v1beta1/query";
import { DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import { expect, test } from "vitest";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import { refused, scriptNode, state, type Reply } from "@vipscore/testkit/scriptedNode";
import { readRestGasPrice } from "./gasPrice.ts";
import { readBalances } from "./transactionSigner.ts";

const nodePath = "/cosmos.base.node.v1beta1.Service/Config";
const rollupPath = "/opinit.opchild.v1.Query/Params";

const config = (minimumGasPrice: string): Reply =>
  state(ConfigResponse.encode(ConfigResponse.fromPartial({ minimumGasPrice })).finish());

/** `QueryParamsResponse` of OPinit, with other fields around the prices. */
function params(prices: readonly { readonly denom: string; readonly amount: string }[]): Reply {
  const fields = new BinaryWriter().uint32(8).uint32(100).uint32(16).uint32(10_000);
  for (const price of prices) fields.uint32(26).bytes(DecCoin.encode(price).finish());
  fields.uint32(34).string("init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq").uint32(56).uint64(3_000_000n);
  return state(new BinaryWriter().uint32(10).bytes(fields.finish()).finish());
}

async function priceOf(node: Reply | undefined, rollup: Reply | undefined) {
  const { url } = await scriptNode({
    ...(node === undefined ? {} : { [nodePath]: [node] }),
    ...(rollup === undefined ? {} : { [rollupPath]: [rollup] }),
  });
  return readRestGasPrice(restOverRpc(openJsonRpc(url)), undefined);
}

test("a chain that does not charge fees", async () => {
  expect(await priceOf(config(""), params([]))).toBeUndefined();
  expect(await priceOf(config("0umin"), undefined)).toBeUndefined();
  expect(await priceOf(undefined, undefined)).toBeUndefined();
});

test("the higher of the node's and the rollup's price", async () => {
  // 0.15 in the chain's own form: 18 digits after the point.
  const rollup = params([{ denom: "umin", amount: "150000000000000000" }]);
  expect(await priceOf(config("0.015umin"), undefined)).toEqual({ denom: "umin", amount: 15n, per: 1000n });
  const asked = { denom: "umin", amount: 150_000_000_000_000_000n, per: 10n ** 18n };
  expect(await priceOf(config(""), rollup)).toEqual(asked);
  expect(await priceOf(config("0.2umin"), rollup)).toEqual({ denom: "umin", amount: 2n, per: 10n });
  expect(await priceOf(config("0.1umin"), rollup)).toEqual(asked);
});

test("an unreadable price does not count as no price", async () => {
  const negative = params([{ denom: "umin", amount: "-1" }]);
  const torn = state(Buffer.from("0aff", "hex"));
  await Promise.all([
    expect(priceOf(config("much"), undefined)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" }),
    expect(priceOf(config(""), negative)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" }),
    expect(priceOf(refused("internal"), undefined)).rejects.toMatchObject({ code: "NODE_ERROR" }),
    expect(priceOf(config(""), torn)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" }),
  ]);
});

test("balances; an unreadable one does not count as none", async () => {
  const balances = [
    { denom: "l2/5eb0c0", amount: "18446744073709551615" },
    { denom: "umin", amount: "7" },
  ];
  const held = (coins: typeof balances): Reply => state(QueryAllBalancesResponse.encode({ balances: coins }).finish());
  const balancesOf = async (reply: Reply) => {
    const { url } = await scriptNode({ "/cosmos.bank.v1beta1.Query/AllBalances": [reply] });
    return readBalances(restOverRpc(openJsonRpc(url)), "init1", undefined);
  };
  expect(await balancesOf(held(balances))).toEqual([
    { denom: "l2/5eb0c0", amount: 2n ** 64n - 1n },
    { denom: "umin", amount: 7n },
  ]);
  expect(await balancesOf(held([]))).toEqual([]);
  await expect(balancesOf(held([{ denom: "umin", amount: "-7" }]))).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
  });
});
