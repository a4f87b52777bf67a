import type { HoldersProgress } from "@vipscore/indexer-client/holders";
import { group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";

/** Returns a listener that shows the progress of reading a collection. */
export function holdersProgress(output: Output, collectionAddr: string): (progress: HoldersProgress) => void {
  return ({ attempt, tokensRead, tokens }) => {
    const all = tokens === null ? "" : `/${group(tokens)}`;
    const again = attempt > 1 ? `, reading what has changed (${group(attempt - 1)})` : "";
    output.showTransient(`${collectionAddr}  ${group(tokensRead)}${all} tokens${again}`);
  };
}
