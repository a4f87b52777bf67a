import { InputError, VipError } from "@vipscore/core";
import type { Context } from "../context.ts";
import { checkIndexer } from "./checkIndexer.ts";
import type { NftIndexer } from "./openNftIndexer.ts";
import { openRollupBlocks } from "./rollupBlocks.ts";
import { readRollupSource, type RollupFlags } from "./rollupSource.ts";

/**
 * Warns if the indexer is behind its rollup or serves a different one, if a rollup is known.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`; the signal's reason when aborted.
 */
export async function warnOfIndexer(
  context: Context,
  flags: RollupFlags,
  { indexer, isLocal }: NftIndexer,
): Promise<void> {
  const { io, output } = context;
  try {
    const source = await readRollupSource(context, flags);
    // An indexer set by the user does not belong to the local node.
    if (source.url === undefined || (source.isLocal && !isLocal)) return;
    const { lag } = await checkIndexer(indexer, openRollupBlocks(source.vm, source.url, io.signal), io.signal);
    if (lag !== undefined) output.warn(lag);
  } catch (error) {
    io.signal.throwIfAborted();
    if (!VipError.isVipError(error) || error instanceof InputError) throw error;
    output.warn(`${error.shortMessage}; not checked whether the indexer is up to date`);
  }
}
