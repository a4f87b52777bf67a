import { highestGasPrice, parseGasPrices, type Balance, type GasPrice } from "@vipscore/core/cosmos";
import { isMissingRoute, isObject, type RestAnswer, type RestClient } from "@vipscore/core/http";
import { readList, readText, readU64, unreadable } from "./readField.ts";

/**
 * The price that the chain asks for gas: the highest of the node's own minimum and the rollup's, where both name one
 * denomination; undefined where neither asks for anything.
 */
export async function readGasPrice(rest: RestClient, signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
  const asked = await Promise.all([readNodePrices(rest, signal), readRollupPrices(rest, signal)]);
  return highestGasPrice(asked.flat());
}

/** What the node itself asks for, `minimum-gas-prices` of its settings. */
async function readNodePrices(rest: RestClient, signal: AbortSignal | undefined): Promise<readonly GasPrice[]> {
  const path = "/cosmos/base/node/v1beta1/config";
  const answer = await readOptional(rest, path, signal);
  if (answer === undefined) return [];
  const text = readText({ rest, path }, answer, "minimum_gas_price");
  return parseGasPrices(text) ?? unreadable({ rest, path }, "minimum_gas_price", text);
}

/** What the rollup asks for everywhere, `min_gas_prices` of its parameters. */
async function readRollupPrices(rest: RestClient, signal: AbortSignal | undefined): Promise<readonly GasPrice[]> {
  const path = "/opinit/opchild/v1/params";
  const source = { rest, path };
  const answer = await readOptional(rest, path, signal);
  const params = answer?.["params"];
  if (!isObject(params)) return [];
  return readList(source, params, "min_gas_prices").flatMap((coin) => {
    if (!isObject(coin)) return unreadable(source, "min_gas_prices", coin);
    const text = `${readText(source, coin, "amount")}${readText(source, coin, "denom")}`;
    return parseGasPrices(text) ?? unreadable(source, "min_gas_prices", text);
  });
}

/** An answer; undefined where the chain has no such module. */
async function readOptional(
  rest: RestClient,
  path: string,
  signal: AbortSignal | undefined,
): Promise<RestAnswer | undefined> {
  try {
    return await rest.get(path, { signal });
  } catch (error) {
    if (isMissingRoute(error)) return undefined;
    throw error;
  }
}

/** The account's balance in `denom`, or in the first denomination that it has anything of where none is asked for. */
export async function readBalance(
  rest: RestClient,
  address: string,
  denom: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Balance> {
  const path = `/cosmos/bank/v1beta1/balances/${address}`;
  const source = { rest, path };
  const query = { "pagination.limit": "1000" };
  const coins = readList(source, await rest.get(path, { signal, query }), "balances").map((coin) => {
    if (!isObject(coin)) return unreadable(source, "balances", coin);
    return { denom: readText(source, coin, "denom"), amount: readU64(source, coin, "amount") };
  });
  const found = denom === undefined ? coins[0] : coins.find((coin) => coin.denom === denom);
  return found ?? { denom: denom ?? "umin", amount: 0n };
}
