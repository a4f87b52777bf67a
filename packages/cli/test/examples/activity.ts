import type { PolicyExample } from "@vipscore/policy";

/** An act of an account in a contract of an example. */
export type Act =
  | { readonly kind: "play"; readonly account: `0x${string}`; readonly action: string }
  | { readonly kind: "trade" | LendingAct; readonly account: `0x${string}`; readonly amount: bigint }
  | { readonly kind: "mint"; readonly account: `0x${string}`; readonly tokenId: string };

export type LendingAct = "supply" | "withdraw" | "borrow" | "repay";

/** An act in the chain. */
export interface PlacedAct {
  readonly act: Act;
  readonly height: number;
  /** Unix time of the block, in seconds. */
  readonly time: number;
}

/** A local chain with the contracts of all examples. */
export interface ActivityChain extends AsyncDisposable {
  readonly vm: "evm" | "move" | "wasm";
  readonly chainId: string;
  /** Arguments that name the chain's endpoints. */
  readonly endpoint: readonly string[];
  /** The contract of an example, as the chain spells it. */
  readonly contractOf: (example: PolicyExample) => string;
  /** Puts an act into a block; returns the block's height. */
  readonly act: (act: Act) => Promise<number>;
  readonly timeOf: (height: number) => Promise<number>;
}

const [alice, bob, carol] = ["a1", "b0", "ca"].map((byte) => `0x${byte.repeat(20)}` as const) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];

/** Before the window; only positions of the money market count in it. */
export const earlierActs: readonly Act[] = [
  { kind: "play", account: carol, action: "quest" },
  { kind: "supply", account: alice, amount: 40_000_000n },
  { kind: "borrow", account: bob, amount: 7_000_000n },
  { kind: "trade", account: bob, amount: 5n },
  { kind: "mint", account: alice, tokenId: "1" },
];

export const countedActs: readonly Act[] = [
  { kind: "play", account: alice, action: "quest" },
  { kind: "play", account: bob, action: "match" },
  { kind: "play", account: bob, action: "something else" },
  { kind: "trade", account: alice, amount: 9_000n },
  { kind: "trade", account: alice, amount: 9_000n },
  { kind: "trade", account: carol, amount: 77n },
  { kind: "withdraw", account: alice, amount: 15_000_000n },
  { kind: "supply", account: carol, amount: 3_000_001n },
  { kind: "repay", account: bob, amount: 2_000_000n },
  { kind: "mint", account: bob, tokenId: "2" },
  { kind: "mint", account: bob, tokenId: "3" },
  { kind: "play", account: alice, action: "login" },
];

/** After the window. */
export const laterActs: readonly Act[] = [
  { kind: "play", account: bob, action: "quest" },
  { kind: "trade", account: carol, amount: 1n },
  { kind: "supply", account: bob, amount: 1_000_000_000n },
];

const points: Readonly<Record<string, bigint>> = { quest: 50n, match: 10n, login: 1n };
const signs: Readonly<Record<string, bigint>> = { supply: 1n, withdraw: -1n, borrow: 2n, repay: -2n };

/** The scores that an example gives, computed from the acts themselves. Accounts with 0 are left out. */
export function expectedScores(
  example: PolicyExample,
  acts: readonly PlacedAct[],
  { first, last }: { readonly first: number; readonly last: number },
): Readonly<Record<string, bigint>> {
  const sums = new Map<string, bigint>();
  const add = (key: string, value: bigint): unknown => sums.set(key, (sums.get(key) ?? 0n) + value);
  for (const { act, height, time } of acts) {
    if (height > last) continue;
    const blocks = BigInt(last - Math.max(height, first) + 1);
    const isInside = height >= first;
    if (example === "nft-holders" && act.kind === "mint") add(act.account, blocks);
    if (example === "game" && act.kind === "play" && isInside) add(act.account, points[act.action] ?? 0n);
    if (example === "volume" && act.kind === "trade" && isInside) {
      add(`${act.account} ${Math.floor(time / 86_400)}`, act.amount);
    }
    const sign = signs[act.kind];
    if (example === "lending" && sign !== undefined && "amount" in act) add(act.account, sign * act.amount * blocks);
  }
  const scores: Record<string, bigint> = {};
  for (const [key, sum] of sums) {
    const [account = ""] = key.split(" ");
    const capped = example === "volume" && sum > 10_000n ? 10_000n : sum;
    scores[account] = (scores[account] ?? 0n) + (example === "lending" ? sum / 1_000_000n : capped);
  }
  return Object.fromEntries(Object.entries(scores).filter(([, score]) => score > 0n));
}
