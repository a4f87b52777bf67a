import type { HoldersProgress } from "@vipscore/indexer-client/holders";
import { group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";

/** Returns a listener that shows the progress of reading a collection. */
export function holdersProgress(output: Output, collectionAddr: string): (progress: HoldersProgress) => void {
  return ({ attempt, tokensRead }) => {
    const again = attempt > 1 ? `, attempt ${group(attempt)}` : "";
    output.showTransient(`${collectionAddr}  ${group(tokensRead)} tokens${again}`);
  };
}
