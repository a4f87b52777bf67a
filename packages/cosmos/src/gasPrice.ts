import { InputError } from "@vipscore/core";

/** The price of one unit of gas: `amount / per` of the smallest unit of `denom`. */
export interface GasPrice {
  readonly denom: string;
  readonly amount: bigint;
  readonly per: bigint;
}

/** A decimal amount and a denomination, as the Cosmos SDK writes and reads them (`types/dec_coin.go`). */
const price = /^(\d{1,30})(?:\.(\d{1,18}))?([a-zA-Z][a-zA-Z0-9/:._-]{1,127})$/;

/** Reads gas prices as nodes and settings write them, e.g. `0.015umin` or `0.015umin,0.1uinit`; undefined if one is invalid. */
export function parseGasPrices(text: string): readonly GasPrice[] | undefined {
  const prices: GasPrice[] = [];
  for (const part of text.split(",")) {
    if (part.trim() === "") continue;
    const [, whole, fraction = "", denom] = price.exec(part.trim()) ?? [];
    if (whole === undefined || denom === undefined) return undefined;
    prices.push({ denom, amount: BigInt(whole + fraction), per: 10n ** BigInt(fraction.length) });
  }
  return prices;
}

/**
 * Parses the gas price of a setting.
 *
 * @throws InputError `CONFIG_INVALID`.
 */
export function parseGasPrice(text: string): GasPrice {
  const [first, ...more] = parseGasPrices(text) ?? [];
  if (first !== undefined && more.length === 0) return first;
  throw new InputError(`gas price "${text}" is not an amount and a denomination such as 0.015umin`, {
    code: "CONFIG_INVALID",
  });
}

/**
 * Returns the price to pay when several sources ask for one: the highest of those in the denomination of the first;
 * undefined if there are none.
 */
export function highestGasPrice(candidates: readonly GasPrice[]): GasPrice | undefined {
  const prices = candidates.filter(({ amount }) => amount > 0n);
  const [first] = prices;
  if (first === undefined) return undefined;
  const same = prices.filter(({ denom }) => denom === first.denom);
  return same.reduce((high, next) => (next.amount * high.per > high.amount * next.per ? next : high));
}

/** Returns the fee for this much gas, in the smallest unit, rounded up. */
export function feeOf({ amount, per }: GasPrice, gas: bigint): bigint {
  return (gas * amount + per - 1n) / per;
}
