import fc from "fast-check";
import { toHex, type Address } from "viem";
import type { Deployed } from "../evm/wallet.ts";

/** A step in the life of the demonstration collection; `picks` select among the tokens that exist at that time. */
export type Step =
  | { readonly kind: "mint"; readonly to: readonly number[] }
  | { readonly kind: "transfer" | "burn"; readonly picks: readonly number[]; readonly to: readonly number[] };

const owners = 6;

/** The few accounts that tokens move between. */
export function ownerOf(index: number): Address {
  return toHex(0xa0_00_00n + BigInt(index % owners), { size: 20 });
}

const someOwners = (count: number) => fc.array(fc.nat(owners - 1), { minLength: count, maxLength: count });

/** The life of a collection, with enough mints that there is always something to move. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("mint" as const),
      to: fc.array(fc.nat(owners - 1), { minLength: 1, maxLength: 12 }),
    }),
    fc.record({
      kind: fc.constantFrom("transfer" as const, "transfer" as const, "burn" as const),
      picks: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 }),
      to: someOwners(6),
    }),
  ),
  { minLength: 15, maxLength: 40 },
);

/** Executes the steps; returns the remaining ids. */
export async function live(nft: Deployed, life: readonly Step[]): Promise<readonly bigint[]> {
  const alive: bigint[] = [];
  let last = 0n;
  for (const step of life) {
    if (step.kind === "mint") {
      await nft.send("mint", step.to.map(ownerOf));
      alive.push(...step.to.map(() => ++last));
      continue;
    }
    const ids = [...new Set(step.picks.map((pick) => alive[pick % alive.length]))].filter((id) => id !== undefined);
    if (step.kind === "transfer")
      await nft.send(
        "transferMany",
        ids,
        ids.map((_, index) => ownerOf(step.to[index] ?? 0)),
      );
    else {
      await nft.send("burn", ids);
      for (const id of ids) alive.splice(alive.indexOf(id), 1);
    }
  }
  return alive;
}
