import { seededRandom, type SeededRandom } from "@vipscore/testkit/seededRandom";
import { createHash } from "node:crypto";

/** Chance of its own for each purpose of a seed, so that a draw more for one of them leaves the others as they are. */
export function randomFor(seed: number, purpose: string): SeededRandom {
  return seededRandom(createHash("sha256").update(`${seed} ${purpose}`).digest().readUIntBE(0, 6));
}
