import { seededRandom } from "@vipscore/testkit/seededRandom";
import { PlayedScores, type PlayedRow } from "./playedScores.ts";

const blocks = 400;

/** The life of a contract that ends with its last stage finalized, the same for each seed. */
export function playedLife(seed: number): PlayedScores {
  const random = seededRandom(seed);
  const played = new PlayedScores(2n ** 64n - 8n);
  const someRows = (): readonly PlayedRow[] =>
    Array.from({ length: 1 + random.below(30) }, () => [1 + random.below(90), BigInt(random.below(2 ** 32))] as const);
  for (let block = 1; block < blocks; block += 1) {
    const as = random.pick(["events", "events", "packed"] as const);
    if (block % (blocks / 8) === 0) played.mine({ rows: someRows(), as }, "finalize");
    else played.mine(...(random.below(4) === 0 ? [] : [{ rows: someRows(), as }]));
  }
  played.mine("finalize");
  return played;
}
