import { highestGasPrice, parseGasPrices, type Balance, type GasPrice } from "@vipscore/core/cosmos";
import { BinaryReader } from "cosmjs-types/binary";
import { QueryAllBalancesRequest, QueryAllBalancesResponse } from "cosmjs-types/cosmos/bank/v1beta1/query";
import { ConfigRequest, ConfigResponse } from "cosmjs-types/cosmos/base/node/v1beta1/query";
import { DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import { isMissingQuery } from "./cometErrors.ts";
import type { CometRpc } from "./cometRpc.ts";
import { queryChain, type ChainQuery } from "./queryChain.ts";
import { unreadable } from "./readField.ts";

/** Decimals of the Cosmos SDK in protobuf are whole numbers of this many digits after the point (`math/dec.go`). */
const decimals = 18;

/** What the node itself asks for, `minimum-gas-prices` of its settings. */
const nodeConfig: ChainQuery<ConfigRequest, ConfigResponse> = {
  path: "/cosmos.base.node.v1beta1.Service/Config",
  request: ConfigRequest,
  response: ConfigResponse,
};

/** What the rollup asks for everywhere, `min_gas_prices` of its parameters. */
const rollupPrices: ChainQuery<object, readonly DecCoin[]> = {
  path: "/opinit.opchild.v1.Query/Params",
  request: { encode: () => ({ finish: () => new Uint8Array() }) },
  response: { decode: decodeRollupPrices },
};

const balancesOf: ChainQuery<QueryAllBalancesRequest, QueryAllBalancesResponse> = {
  path: "/cosmos.bank.v1beta1.Query/AllBalances",
  request: QueryAllBalancesRequest,
  response: QueryAllBalancesResponse,
};

/**
 * The price that the chain asks for gas: the highest of the node's own minimum and the rollup's, where both name one
 * denomination; undefined where neither asks for anything.
 */
export async function readGasPrice(comet: CometRpc, signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
  const asked = await Promise.all([readNodePrices(comet, signal), readRollupPrices(comet, signal)]);
  return highestGasPrice(asked.flat());
}

async function readNodePrices(comet: CometRpc, signal: AbortSignal | undefined): Promise<readonly GasPrice[]> {
  const config = await queryOptional(comet, nodeConfig, {}, signal);
  if (config === undefined) return [];
  const { minimumGasPrice: text } = config;
  return parseGasPrices(text) ?? unreadable(sourceOf(comet, nodeConfig), "minimum_gas_price", text);
}

async function readRollupPrices(comet: CometRpc, signal: AbortSignal | undefined): Promise<readonly GasPrice[]> {
  const coins = (await queryOptional(comet, rollupPrices, {}, signal)) ?? [];
  return coins.map(({ denom, amount }) => {
    if (!/^\d{1,60}$/.test(amount)) return unreadable(sourceOf(comet, rollupPrices), "min_gas_prices", amount);
    return { denom, amount: BigInt(amount), per: 10n ** BigInt(decimals) };
  });
}

/**
 * The prices in `QueryParamsResponse { Params params = 1 }`, `Params { repeated DecCoin min_gas_prices = 3 }`.
 * Source: opinit/opchild/v1/{query,types}.proto of OPinit; cosmjs-types does not have them.
 */
function decodeRollupPrices(bytes: Uint8Array): readonly DecCoin[] {
  return fieldsOf(bytes, 1).flatMap((params) => fieldsOf(params, 3).map((coin) => DecCoin.decode(coin)));
}

/** The values of a field of a protobuf message that has bytes. */
function fieldsOf(bytes: Uint8Array, field: number): readonly Uint8Array[] {
  const reader = new BinaryReader(bytes);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === field * 8 + 2) found.push(reader.bytes());
    else reader.skipType(tag & 7);
  }
  return found;
}

/** An answer; undefined where the chain has no such module. */
async function queryOptional<Request, Response>(
  comet: CometRpc,
  query: ChainQuery<Request, Response>,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Response | undefined> {
  try {
    return await queryChain(comet, query, request, signal === undefined ? {} : { signal });
  } catch (error) {
    if (isMissingQuery(error)) return undefined;
    throw error;
  }
}

/** The account's balance in `denom`, or in the first denomination that it has anything of where none is asked for. */
export async function readBalance(
  comet: CometRpc,
  address: string,
  denom: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Balance> {
  const pagination = { key: new Uint8Array(), offset: 0n, limit: 1000n, countTotal: false, reverse: false };
  const request = { address, pagination, resolveDenom: false };
  const { balances } = await queryChain(comet, balancesOf, request, signal === undefined ? {} : { signal });
  const coins = balances.map((coin) => {
    if (!/^\d{1,78}$/.test(coin.amount)) return unreadable(sourceOf(comet, balancesOf), "balance", coin.amount);
    return { denom: coin.denom, amount: BigInt(coin.amount) };
  });
  const found = denom === undefined ? coins[0] : coins.find((coin) => coin.denom === denom);
  return found ?? { denom: denom ?? "umin", amount: 0n };
}

function sourceOf({ endpoint }: CometRpc, { path: title }: { readonly path: string }) {
  return { endpoint, title };
}
