import type { SeededRandom } from "@vipscore/testkit/seededRandom";
import type { Ledger } from "./ledger.ts";
import type { Party, Signer, Step } from "./liveChain.ts";

const signers: readonly Signer[] = ["deployer", "operator"];
const parties: readonly Party[] = [...signers, ...signers, "friend", "stranger", "contract"];

/** A transaction of a history. */
export interface HistoryPart {
  readonly signer: Signer;
  readonly steps: readonly Step[];
}

/**
 * Returns the next transaction of a random history: mints, transfers, also to a contract, and burns across collections,
 * IDs that are burned and minted again, also at once, and collections whose creator hands them over. The same random numbers
 * give the same history on every chain.
 *
 * @param ledger - The state before it.
 * @param collections - Names of the collections in which everything happens.
 */
export function nextPart(ledger: Ledger, random: SeededRandom, collections: readonly string[]): HistoryPart {
  const signer = random.pick(signers);
  const steps: Step[] = [];
  /** Tokens that a step of this transaction already concerns. */
  const taken = new Set<string>();
  const take = (collection: string, ids: readonly string[]): string | undefined => {
    const free = ids.filter((id) => !taken.has(`${collection}/${id}`));
    const id = free.length > 0 ? random.pick(free) : undefined;
    if (id !== undefined) taken.add(`${collection}/${id}`);
    return id;
  };
  const mint = (collection: string, tokenId: string, to: Party): Step => {
    return { kind: "mint", collection, tokenId, to, uri: random.pick(["", `ipfs://${random.below(1_000_000)}`]) };
  };
  for (let left = 3 + random.below(6); left > 0; left -= 1) {
    const collection = random.pick(collections);
    const minter = ledger.minterOf(collection);
    const kind = random.pick(["mint", "mint", "remint", "replace", "move", "move", "move", "burn"] as const);
    if (kind === "mint" || kind === "remint") {
      // On Move, nobody can mint while the creator does not own the collection's object.
      if (minter !== "deployer" || signer !== minter) continue;
      const fresh = String(1 + random.below(10_000));
      const isKnown = ledger.burnedIn(collection).includes(fresh) || ledger.isHeld(collection, fresh);
      const id = take(collection, kind === "remint" ? ledger.burnedIn(collection) : isKnown ? [] : [fresh]);
      if (id !== undefined) steps.push(mint(collection, id, random.pick(parties)));
      continue;
    }
    const tokenId = take(collection, ledger.heldBy(collection, signer));
    if (tokenId === undefined) continue;
    if (kind === "move") {
      // Move does not record a transfer to its owner.
      const to = random.pick(parties.filter((party) => party !== signer));
      steps.push({ kind, collection, tokenId, from: signer, to });
      continue;
    }
    steps.push({ kind: "burn", collection, tokenId, from: signer });
    if (kind === "replace" && minter === "deployer" && signer === minter)
      steps.push(mint(collection, tokenId, random.pick(parties)));
  }
  const given = random.pick(collections);
  const other = signer === "deployer" ? "operator" : "deployer";
  const isGiven = ledger.minterOf(given) === signer && random.below(8) === 0;
  if (isGiven) steps.push({ kind: "handOver", collection: given, to: other });
  return { signer, steps };
}
