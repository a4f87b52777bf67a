import { InputError } from "@vipscore/core";
import { isMissingRoute, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";

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
  return same.reduce((high, next) => (isBelow(high, next) ? next : high));
}

/** True if a price is below another one in the same denomination. */
export function isBelow(one: GasPrice, other: GasPrice): boolean {
  return one.amount * other.per < other.amount * one.per;
}

/** Returns the fee for this much gas, in the smallest unit, rounded up. */
export function feeOf({ amount, per }: GasPrice, gas: bigint): bigint {
  return (gas * amount + per - 1n) / per;
}

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

/** L1's price of gas. */
export interface L1GasPrice {
  /** The base price, which every node of L1 enforces; undefined if L1 has none. */
  readonly base: GasPrice | undefined;
  /** The price to pay: half more than the base price, or a node's higher minimum. */
  readonly price: GasPrice;
  /** The base price in each token that pays fees; empty if L1 has none. */
  readonly accepted: readonly GasPrice[];
}

/**
 * Reads the price of gas on Initia's L1 at its REST endpoint. The base price moves by load and by vote, so the price to pay has a
 * margin for the time until the transaction is sent: the base price can rise by a tenth in each block.
 *
 * @returns undefined if L1 requires no fee.
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readL1GasPrice(
  rest: RestClient,
  signal: AbortSignal | undefined,
): Promise<L1GasPrice | undefined> {
  const [prices = [], denom, own] = await Promise.all([
    undefinedIf(isMissingRoute, rest.get("/initia/tx/v1/gas_prices", readBasePrices, { signal })),
    undefinedIf(isMissingRoute, rest.get("/initia/move/v1/params", readBaseDenom, { signal })),
    readRestGasPrice(rest, signal),
  ]);
  // L1 lists every token that can pay a fee, sorted by name.
  const base = prices.find((each) => each.denom === denom) ?? prices[0];
  const wanted = base && { ...base, amount: base.amount * 3n, per: base.per * 2n };
  const highest = highestGasPrice([wanted, own].filter((each) => each !== undefined));
  return highest && { base: base?.amount === 0n ? undefined : base, price: highest, accepted: prices };
}

function readBasePrices(answer: Answer): readonly GasPrice[] {
  return readPrices(answer.field("gas_prices").elements());
}

/** The denomination of L1's own token. */
function readBaseDenom(answer: Answer): string {
  return answer.field("params").field("base_denom").text();
}

/** The node's own minimum, `minimum-gas-prices` of its settings. */
function readNodePrices(answer: Answer): readonly GasPrice[] {
  const field = answer.field("minimum_gas_price");
  return parseGasPrices(field.text()) ?? field.unreadable("a list of gas prices");
}

/** The rollup's minimum on every node, `min_gas_prices` of its parameters. */
function readRollupPrices(answer: Answer): readonly GasPrice[] {
  return readPrices(answer.optional("params")?.field("min_gas_prices").elements() ?? []);
}

function readPrices(coins: readonly Answer[]): readonly GasPrice[] {
  return coins.flatMap((coin) => {
    const text = `${coin.field("amount").text()}${coin.field("denom").text()}`;
    return parseGasPrices(text) ?? coin.unreadable("a gas price");
  });
}

/** An amount in the smallest unit of its denomination. */
export interface Coin {
  readonly denom: string;
  readonly amount: bigint;
}

/** Reads coins. An amount may have 256 bits: a bridged token with 18 decimals easily exceeds a u64. */
export function readCoins(coins: readonly Answer[]): readonly Coin[] {
  return coins.map((coin) => {
    const amount = coin.field("amount");
    const text = amount.text();
    return {
      denom: coin.field("denom").text(),
      amount: /^\d{1,78}$/.test(text) ? BigInt(text) : amount.unreadable("an amount"),
    };
  });
}

/** Returns the coin in `denom`, or a zero amount. Default: the first coin. */
export function coinIn(coins: readonly Coin[], denom: string | undefined): Coin {
  const found = denom === undefined ? coins[0] : coins.find((coin) => coin.denom === denom);
  return found ?? { denom: denom ?? "umin", amount: 0n };
}
