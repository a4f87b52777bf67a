// What every front end without the template's page shows: a score, a proof and tokens.
import { openIndexer, tokensByAccount } from "@vipscore/indexer-client";
import { checkProofs } from "@vipscore/snapshot";
import type { Rollup } from "./rollup.ts";
import { findOpenStage, readStanding } from "./scores.ts";

export async function scoreNow(rollup: Rollup, account: string): Promise<string> {
  const stage = await findOpenStage(rollup);
  const standing = await readStanding(rollup, stage, account);
  return `stage ${stage}: ${standing?.score} points, rank ${standing?.rank} of ${standing?.accounts}`;
}

export async function claim(proofs: Response, account: string): Promise<string> {
  const { stage, leaf, wrongCount } = await checkProofs(proofs, { account });
  return `stage ${stage}: ${leaf?.score} points, ${wrongCount} wrong proofs`;
}

export async function tokens({ indexerUrl = "" }: Rollup, account: string): Promise<string> {
  const { items } = await tokensByAccount(openIndexer(indexerUrl), account).page({ limit: 20 });
  return items.map(({ collection_name, nft }) => `${collection_name} ${nft.token_id}`).join(", ");
}
