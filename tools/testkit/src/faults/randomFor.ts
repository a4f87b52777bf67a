import { createHash } from "node:crypto";
import { seededRandom, type SeededRandom } from "../seededRandom.ts";

/** Separate randomness for each purpose of a seed, so that an extra draw for one purpose does not change the others. */
export function randomFor(seed: number, purpose: string): SeededRandom {
  return seededRandom(createHash("sha256").update(`${seed} ${purpose}`).digest().readUIntBE(0, 6));
}
