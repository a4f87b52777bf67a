import { InputError, VipError } from "@vipscore/core";
import type { Context } from "../context.ts";
import { checkIndexer } from "./checkIndexer.ts";
import type { NftIndexer } from "./openNftIndexer.ts";
import { openRollupBlocks } from "./rollupBlocks.ts";
import { readRollupSource, type RollupFlags } from "./rollupSource.ts";

/**
 * Warns when the indexer is behind its rollup or serves another one, where a rollup is known.
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
    // The local node has nothing to do with an indexer that was named.
    if (source.url === undefined || (source.isLocal && !isLocal)) return;
    const { lag } = await checkIndexer(indexer, openRollupBlocks(source.vm, source.url, io.signal), io.signal);
    if (lag !== undefined) output.warn(lag);
  } catch (error) {
    io.signal.throwIfAborted();
    if (!VipError.isVipError(error) || error instanceof InputError) throw error;
    output.warn(`${error.shortMessage}; not checked whether the indexer is up to date`);
  }
}
