import { openIndexer, tokensByAccount } from "@vipscore/indexer-client";
import { checkProofs, type ProofFile } from "@vipscore/snapshot";
import type { Rollup } from "./rollup.ts";
import { findOpenStage, readStanding } from "./scores.ts";

/** What a user is shown about one thing. */
export type Answer = readonly [title: string, text: string];

export async function scoreNow(rollup: Rollup, account: string): Promise<Answer> {
  const stage = await findOpenStage(rollup);
  const title = `Stage ${stage}, which still counts`;
  const standing = await readStanding(rollup, stage, account);
  if (standing === undefined) return [title, "No score yet."];
  const { score, rank, accounts } = standing;
  return [title, `${score.toLocaleString()} points, rank ${rank} of ${accounts}`];
}

/** L1 takes a claim only if it has the file's root, which `vipscore snapshot` compares. */
export async function claim(proofs: ProofFile, account: string): Promise<Answer> {
  const { stage, leaf, wrongCount } = await checkProofs(proofs, { account });
  const title = `Stage ${stage}, to claim`;
  if (leaf === undefined) return [title, "No score."];
  const isProved = wrongCount === 0 ? "proved by its snapshot" : "but its proof is wrong";
  return [title, `${leaf.score.toLocaleString()} points, ${isProved}`];
}

export async function tokens({ indexerUrl }: Rollup, account: string): Promise<Answer> {
  if (!indexerUrl) return ["NFTs", "No indexer."];
  const { items } = await tokensByAccount(openIndexer(indexerUrl), account).page({ limit: 20 });
  const names = items.map(({ collection_name, nft }) => `${collection_name} ${nft.token_id}`);
  return ["NFTs", names.length === 0 ? "None." : names.join(", ")];
}
