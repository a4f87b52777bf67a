import { resolve } from "node:path";
import {
  CheckError,
  formatScores,
  InputError,
  NodeError,
  refuseExisting,
  ScoreTable,
  writeNewFile,
} from "@vipscore/core";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { Indexer } from "@vipscore/indexer-client";
import { readHolders, type Holders } from "@vipscore/indexer-client/holders";
import type { Context } from "../../../context.ts";
import { checkIndexer } from "../../../nft/checkIndexer.ts";
import type { IndexerFlags, UnreadableFlags } from "../../../nft/indexerOptions.ts";
import { openNftIndexer } from "../../../nft/openNftIndexer.ts";
import { holdersProgress, withIndexerErrors } from "../../../nft/readIndexer.ts";
import { openRollupBlocks } from "../../../nft/rollupBlocks.ts";
import { readRollupSource, type RollupFlags, type RollupSource } from "../../../nft/rollupSource.ts";
import { settleUnreadable, unreadableJson } from "../../../nft/unreadableRows.ts";
import { printableText } from "../../../output/printableText.ts";
import { rowJson } from "../../../output/rowJson.ts";
import { areContractsKnown, findContracts } from "../../../score/findContracts.ts";
import { parseWeights, type WeighedCollection } from "../../../score/parseWeights.ts";
import { listContracts, reportContracts } from "../../../score/reportContracts.ts";
import { scoreHolders } from "../../../score/scoreHolders.ts";

/** The flags of `score holders`. */
export interface HoldersFlags extends IndexerFlags, RollupFlags, UnreadableFlags {
  readonly collection: readonly string[];
  readonly weight?: readonly string[];
  readonly out?: string;
  readonly withoutContracts?: boolean;
}

/** A collection that was read. */
type Read = WeighedCollection & Holders;

/** Writes the scores of holders: `score holders`. */
export async function writeHolderScores(context: Context, flags: HoldersFlags): Promise<void> {
  await withIndexerErrors(() => writeScores(context, flags));
}

async function writeScores(context: Context, flags: HoldersFlags): Promise<void> {
  const { io, output } = context;
  const wanted = parseWeights(flags.collection, flags.weight ?? []);
  const path = flags.out === undefined ? undefined : resolve(io.cwd, flags.out);
  // Report an existing file before reading a million tokens.
  if (path !== undefined) await refuseExisting(path, flags.out ?? "");
  const source = await readRollupSource(context, flags);
  const areLeftOut = flags.withoutContracts === true;
  const areKnown = areContractsKnown(source);
  if (areLeftOut && !areKnown) throw contractsUnknown();
  const { indexer } = await openNftIndexer(context, flags);
  await requireCurrent(context, source, indexer);
  const collections = await readCollections(context, indexer, flags, wanted);
  const chainId = collections[0]?.chainId ?? "";
  const holders = new Set(collections.flatMap((read) => Array.from(read.holders.keys())));
  const contracts = await findContracts(context, source, holders);
  const { rows, tokensOfNobody } = scoreHolders(collections, areLeftOut ? contracts : undefined);
  const table = ScoreTable.from(rows);
  const pieces = formatScores([table]);
  if (path !== undefined) await writeNewFile(path, flags.out ?? "", pieces);
  else if (!output.isJson) for await (const piece of pieces) output.raw(piece);
  const listed = listContracts(contracts, collections);
  reportContracts(output, listed, areLeftOut);
  if (!areKnown) {
    output.warn(
      "not checked which holders are contracts: set the rollup's endpoint with --endpoint, or its VM with --vm",
    );
  }
  if (tokensOfNobody > 0) output.note(`${count(tokensOfNobody, "token")} of the zero address left out`);
  const where = flags.out === undefined ? "" : ` to ${flags.out}`;
  output.note(
    `scored ${count(table.size, "account")}${where}, total ${group(table.total)}, sha256 ${shortDigest(table.digest())}`,
  );
  output.note(
    "the owners are those that the indexer has now; a policy counts them from the chain, as of any height: vipscore score new --example nft-holders",
  );
  output.json({
    command: "score holders",
    chainId,
    collections: collections.map(({ address, weight, collection, height, tokens, holders: { size }, unreadable }) => ({
      address,
      name: collection.collection.name,
      weight,
      height,
      tokens,
      holders: size,
      unreadable: unreadableJson(unreadable),
    })),
    accounts: table.size,
    total: table.total,
    sha256: table.digest(),
    file: flags.out ?? null,
    contracts: { vm: source.vm, areKnown, areLeftOut, holders: listed },
    tokensOfNobody,
    ...(flags.out === undefined ? { scores: rows.map(rowJson) } : {}),
  });
}

function contractsUnknown(): InputError {
  return new InputError("cannot detect which holders are contracts", {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Set the rollup's endpoint with --endpoint, VIPSCORE_ENDPOINT or endpoint in vipscore.config.json.",
      "Or choose another VM with --vm move or --vm wasm.",
    ],
  });
}

/**
 * Checks that the indexer serves the rollup and is not far behind it, if the rollup's endpoint is known.
 *
 * @throws NodeError `INDEXER_BEHIND`; CheckError `CHAIN_MISMATCH`; NodeError; IndexerRequestError.
 */
async function requireCurrent({ io, output }: Context, { vm, url }: RollupSource, indexer: Indexer): Promise<void> {
  if (url === undefined) {
    output.warn("not checked whether the indexer is up to date: set the rollup's endpoint");
    return;
  }
  const { lag, isSameChain } = await checkIndexer(indexer, openRollupBlocks(vm, url, io.signal), io.signal);
  if (!isSameChain) output.warn("not checked whether the indexer serves this rollup: they name the chain differently");
  if (lag === undefined) return;
  throw new NodeError(lag, {
    code: "INDEXER_BEHIND",
    metaMessages: ["Run it again once the indexer has caught up, or ask another indexer with --indexer-url."],
  });
}

async function readCollections(
  context: Context,
  indexer: Indexer,
  flags: UnreadableFlags,
  wanted: readonly WeighedCollection[],
): Promise<readonly Read[]> {
  const { io, output } = context;
  const collections: Read[] = [];
  for (const { address, weight } of wanted) {
    const read = await readHolders(indexer, address, {
      signal: io.signal,
      skipUnreadable: true,
      onProgress: holdersProgress(output, address),
    });
    const { chainId, height, tokens, holders, collection } = read;
    const first = collections[0]?.chainId ?? chainId;
    if (chainId !== first) {
      throw new CheckError(`the NFT indexer reported chain ${first} and then chain ${chainId}`, {
        code: "CHAIN_MISMATCH",
      });
    }
    output.note(
      `${address}  "${printableText(collection.collection.name)}"  chain ${chainId}  height ${group(height)}  ${count(tokens, "token")}  ${count(holders.size, "holder")}  weight ${group(weight)}`,
    );
    settleUnreadable(output, read.unreadable, flags);
    collections.push({ ...read, address, weight });
  }
  return collections;
}
