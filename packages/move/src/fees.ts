import { absentIf, isMissingRoute, type Answer, type RestClient } from "@vipscore/core/wire";
import { highestGasPrice, parseGasPrices, readCoins, type Coin, type GasPrice } from "@vipscore/cosmos";

/**
 * Reads the chain's minimum gas price: the higher of the node's and the rollup's if both use the same denomination;
 * undefined if neither requires a fee.
 */
export async function readGasPrice(rest: RestClient, signal: AbortSignal | undefined): Promise<GasPrice | undefined> {
  const asked = await Promise.all([
    absentIf(isMissingRoute, rest.get("/cosmos/base/node/v1beta1/config", readNodePrices, { signal })),
    absentIf(isMissingRoute, rest.get("/opinit/opchild/v1/params", readRollupPrices, { signal })),
  ]);
  return highestGasPrice(asked.flatMap((prices) => prices ?? []));
}

/** The node's own minimum, `minimum-gas-prices` of its settings. */
function readNodePrices(answer: Answer): readonly GasPrice[] {
  const field = answer.field("minimum_gas_price");
  return parseGasPrices(field.text()) ?? field.unreadable("a list of gas prices");
}

/** The rollup's minimum on every node, `min_gas_prices` of its parameters. */
function readRollupPrices(answer: Answer): readonly GasPrice[] {
  const coins = answer.optional("params")?.field("min_gas_prices").elements() ?? [];
  return coins.flatMap((coin) => {
    const text = `${coin.field("amount").text()}${coin.field("denom").text()}`;
    return parseGasPrices(text) ?? coin.unreadable("a gas price");
  });
}

/** Reads the account's balances. */
export function readBalances(
  rest: RestClient,
  address: string,
  signal: AbortSignal | undefined,
): Promise<readonly Coin[]> {
  const read = (answer: Answer): readonly Coin[] => readCoins(answer.field("balances").elements());
  return rest.get(`/cosmos/bank/v1beta1/balances/${address}`, read, { signal, query: { "pagination.limit": "1000" } });
}
