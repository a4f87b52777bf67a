import { isMissingRoute, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";
import { highestGasPrice, parseGasPrices, type GasPrice } from "./gasPrice.ts";

/**
 * Reads a chain's minimum gas price at its REST endpoint: the higher of the node's and the rollup's if both use the same
 * denomination; undefined if neither requires a fee.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readRestGasPrice(
  rest: RestClient,
  signal: AbortSignal | undefined,
): Promise<GasPrice | undefined> {
  const asked = await Promise.all([
    undefinedIf(isMissingRoute, rest.get("/cosmos/base/node/v1beta1/config", readNodePrices, { signal })),
    undefinedIf(isMissingRoute, rest.get("/opinit/opchild/v1/params", readRollupPrices, { signal })),
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
