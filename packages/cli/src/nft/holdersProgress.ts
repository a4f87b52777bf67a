import type { HoldersProgress } from "@vipscore/indexer-client/holders";
import { group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";

/** Shows how far the reading of a collection is, and tells when it has to begin anew. */
export function holdersProgress(output: Output, collectionAddr: string): (progress: HoldersProgress) => void {
  let last = 1;
  return ({ attempt, tokensRead, tokens }) => {
    if (attempt > last) output.note(`${collectionAddr}  changed while it was read, attempt ${attempt}`);
    last = attempt;
    output.showTransient(`${collectionAddr}  ${group(tokensRead)}/${group(tokens)} tokens`);
  };
}
