import { CheckError, errorCodes, InputError, NodeError, type VipError } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import { IndexerRequestError, type IndexerErrorCode } from "@vipscore/indexer-client";
import type { HoldersProgress } from "@vipscore/indexer-client/holders";
import type { Output } from "../output/output.ts";

const hints: Readonly<Record<IndexerErrorCode, string>> = {
  INDEXER_BAD_REQUEST: "Check the addresses and IDs.",
  INDEXER_NOT_FOUND: "Check the collection's address, and that the indexer serves its chain.",
  INDEXER_SERVER_ERROR: "Try again later, or use another indexer with --indexer-url.",
  INDEXER_UNREACHABLE: "Check the indexer's URL; `vipscore node --indexer` starts one with a local node.",
  INDEXER_TIMEOUT: "Try again later, or use another indexer with --indexer-url.",
  INDEXER_BAD_ANSWER: "Check the indexer's URL: it ends before /indexer/nft/v1.",
  INDEXER_MOVING:
    "Run again, use an indexer that is closer, or count from the chain: vipscore score new --example nft-holders",
};

/**
 * Runs work that queries an indexer, and converts the client's errors to those of the command.
 *
 * @throws InputError, CheckError or NodeError with the client's code; any other error unchanged.
 */
export async function withIndexerErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof IndexerRequestError ? toVipError(error) : error;
  }
}

function toVipError(error: IndexerRequestError): VipError {
  const { code, message, details } = error;
  const options = { code, metaMessages: [hints[code]], cause: error, ...(details === undefined ? {} : { details }) };
  const { category } = errorCodes[code];
  if (category === "input") return new InputError(message, options);
  return category === "check" ? new CheckError(message, options) : new NodeError(message, options);
}

/** Returns a listener that shows the progress of reading a collection. */
export function holdersProgress(output: Output, collectionAddr: string): (progress: HoldersProgress) => void {
  return ({ attempt, tokensRead }) => {
    const again = attempt > 1 ? `, attempt ${group(attempt)}` : "";
    output.showTransient(`${collectionAddr}  ${group(tokensRead)} tokens${again}`);
  };
}
