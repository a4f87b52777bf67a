import { highestGasPrice, parseGasPrices, type Balance, type GasPrice } from "@vipscore/core/cosmos";
import { absentIf, isMissingRoute, type Answer, type RestClient } from "@vipscore/core/wire";

/**
 * The price that the chain asks for gas: the highest of the node's own minimum and the rollup's, where both name one
 * denomination; undefined where neither asks for anything.
 */
export async function readGasPrice(rest: RestClient, signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
  const asked = await Promise.all([
    absentIf(isMissingRoute, rest.get("/cosmos/base/node/v1beta1/config", readNodePrices, { signal })),
    absentIf(isMissingRoute, rest.get("/opinit/opchild/v1/params", readRollupPrices, { signal })),
  ]);
  return highestGasPrice(asked.flatMap((prices) => prices ?? []));
}

/** What the node itself asks for, `minimum-gas-prices` of its settings. */
function readNodePrices(answer: Answer): readonly GasPrice[] {
  const field = answer.field("minimum_gas_price");
  return parseGasPrices(field.text()) ?? field.unreadable("a list of gas prices");
}

/** What the rollup asks for everywhere, `min_gas_prices` of its parameters. */
function readRollupPrices(answer: Answer): readonly GasPrice[] {
  const coins = answer.optional("params")?.field("min_gas_prices").elements() ?? [];
  return coins.flatMap((coin) => {
    const text = `${coin.field("amount").text()}${coin.field("denom").text()}`;
    return parseGasPrices(text) ?? coin.unreadable("a gas price");
  });
}

/** The account's balance in `denom`, or in the first denomination that it has anything of where none is asked for. */
export async function readBalance(
  rest: RestClient,
  address: string,
  denom: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Balance> {
  const query = { "pagination.limit": "1000" };
  const coins = await rest.get(`/cosmos/bank/v1beta1/balances/${address}`, readCoins, { signal, query });
  const found = denom === undefined ? coins[0] : coins.find((coin) => coin.denom === denom);
  return found ?? { denom: denom ?? "umin", amount: 0n };
}

function readCoins(answer: Answer): readonly Balance[] {
  const coins = answer.field("balances").elements();
  return coins.map((coin) => ({ denom: coin.field("denom").text(), amount: readAmount(coin.field("amount")) }));
}

/** An amount of a coin, of up to 256 bits: a bridged token of 18 decimals soon has more than a u64. */
function readAmount(field: Answer): bigint {
  const text = field.text();
  return /^\d{1,78}$/.test(text) ? BigInt(text) : field.unreadable("an amount");
}
