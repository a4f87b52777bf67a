import type { Answer } from "@vipscore/core/wire";

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
