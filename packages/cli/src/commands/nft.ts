import { Option, type Command } from "commander";
import { InputError } from "@vipscore/core";
import { tokensByAccount, tokensByCollection, type Listing, type NftToken } from "@vipscore/indexer-client";
import { readHolders } from "@vipscore/indexer-client/holders";
import { withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { holdersProgress } from "../nft/holdersProgress.ts";
import { withIndexerErrors } from "../nft/indexerError.ts";
import { openNftIndexer, withIndexerOptions, type IndexerFlags } from "../nft/openNftIndexer.ts";
import { parseNftAddress } from "../nft/parseNftAddress.ts";
import { rowsText, type RowsFormat } from "../nft/rowsText.ts";
import { spellAddress, spellOwner, tokenColumns } from "../nft/tokenColumns.ts";
import {
  describeUnreadable,
  settleUnreadable,
  unreadableJson,
  withUnreadableOption,
  type UnreadableFlags,
} from "../nft/unreadableRows.ts";
import { warnOfIndexer } from "../nft/warnOfIndexer.ts";
import { count, group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";
import { printableText } from "../output/printableText.ts";

/** Help text on the checks of the indexer. */
const checks = `Warns if the indexer is more than 60 s behind the rollup or serves a different one. For this check it takes the rollup's
endpoint from the environment, the settings file or the local node.`;

/** Maximum number of rows that the indexer returns per page. */
const pageRows = 1000;

interface TokensFlags extends IndexerFlags, UnreadableFlags {
  readonly collection?: string;
  readonly tokenId?: string;
  readonly orderBy: "token_id" | "height";
  readonly limit?: number;
  readonly format: RowsFormat;
}

interface HoldersFlags extends IndexerFlags, UnreadableFlags {
  readonly format: RowsFormat;
}

/** Adds `nft tokens` and `nft holders`. */
export function addNft(program: Command, context: Context): void {
  const nft = program.command("nft").description("list NFTs and their holders from the chain's NFT indexer");
  withUnreadableOption(withIndexerOptions(withOutputOptions(nft.command("tokens [account]"))))
    .description("list the tokens of an account, of a collection, or of an account in a collection")
    .option("--collection <address>", "only tokens of this collection")
    .option("--token-id <id>", "only the token with this ID")
    .addOption(
      new Option("--order-by <field>", "order by token ID (as text, ascending) or by height (newest first)")
        .choices(["token_id", "height"])
        .default("token_id"),
    )
    .addOption(new Option("--limit <n>", "maximum number of tokens (default: all)").argParser(parseLimit))
    .addOption(formatOption())
    .addHelpText(
      "after",
      `\n${checks}\n\nExample:\n  $ vipscore nft tokens --collection 0x1d8e31d5071bb4072fffc05b792685dcc5085bde --format csv > tokens.csv`,
    )
    .action((account: string | undefined, flags: TokensFlags) =>
      withIndexerErrors(() => listTokens(context, account, flags)),
    );
  withUnreadableOption(withIndexerOptions(withOutputOptions(nft.command("holders <collection>"))))
    .description("list how many tokens of a collection each holder has, as of one height")
    .addOption(formatOption())
    .addHelpText(
      "after",
      `\n${checks}\n\nExample:\n  $ vipscore nft holders 0x1d8e31d5071bb4072fffc05b792685dcc5085bde`,
    )
    .action((collection: string, flags: HoldersFlags) =>
      withIndexerErrors(() => listHolders(context, collection, flags)),
    );
}

function formatOption(): Option {
  return new Option("--format <format>", "output format").choices(["table", "csv"]).default("table");
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InputError(`--limit "${text}" is not a positive integer`);
}

async function listTokens(context: Context, account: string | undefined, flags: TokensFlags): Promise<void> {
  const { io, output } = context;
  const { format, limit = Number.POSITIVE_INFINITY } = flags;
  const listing = await openListing(context, account, flags);
  const given = { account: account !== undefined, collection: flags.collection !== undefined };
  const text = rowsText(format, tokenColumns(format, given));
  const kept: object[] = [];
  const unreadable: number[] = [];
  let listed = 0;
  const pages = listing.pages({
    limit: Math.min(limit, pageRows),
    signal: io.signal,
    onBadRow: ({ offset }) => unreadable.push(offset + 1),
  });
  for await (const { items } of pages) {
    const rows = items.slice(0, limit - listed);
    listed += rows.length;
    if (output.isJson) kept.push(...rows.map(tokenJson));
    else writePage(output, format, text.page(rows));
    if (listed >= limit) break;
  }
  output.note(count(listed, "token"));
  const rows = unreadable.map((row) => `row ${group(row)} of the listing`);
  settleUnreadable(output, rows, flags);
  output.json({ command: "nft tokens", count: listed, tokens: kept, unreadable: unreadable.map((row) => ({ row })) });
}

/** Writes CSV as a file, and a table as text for people. */
function writePage(output: Output, format: RowsFormat, page: string): void {
  if (format === "csv") output.raw(page);
  else output.printLines(page);
}

/** @throws InputError `INPUT_INVALID` if neither an account nor a collection is given. */
async function openListing(
  context: Context,
  account: string | undefined,
  { collection, tokenId, orderBy, ...flags }: TokensFlags,
): Promise<Listing<NftToken>> {
  const owner = account === undefined ? undefined : parseNftAddress(account, "account");
  const collectionAddr = collection === undefined ? undefined : parseNftAddress(collection, "collection");
  if (tokenId === "") throw new InputError("--token-id is empty");
  const options = { tokenId, orderBy, reverse: orderBy === "height" };
  if (owner === undefined && collectionAddr === undefined) {
    throw new InputError("no account or collection is given", {
      metaMessages: ["Give the account whose tokens to list, --collection <address>, or both."],
    });
  }
  const opened = await openNftIndexer(context, flags);
  await warnOfIndexer(context, flags, opened);
  const { indexer } = opened;
  if (owner !== undefined) return tokensByAccount(indexer, owner, { ...options, collectionAddr });
  return tokensByCollection(indexer, String(collectionAddr), options);
}

function tokenJson({ collection_addr, collection_name, object_addr, owner, nft, height, timestamp }: NftToken): object {
  return {
    collection: collection_addr,
    collectionName: collection_name,
    tokenId: nft.token_id,
    owner: spellOwner(owner),
    object: object_addr === "" ? null : object_addr,
    uri: nft.uri,
    height,
    timestamp,
  };
}

async function listHolders(context: Context, address: string, flags: HoldersFlags): Promise<void> {
  const { io, output } = context;
  const collectionAddr = parseNftAddress(address, "collection");
  const opened = await openNftIndexer(context, flags);
  await warnOfIndexer(context, flags, opened);
  const read = await readHolders(opened.indexer, collectionAddr, {
    signal: io.signal,
    skipUnreadable: true,
    onProgress: holdersProgress(output, collectionAddr),
  });
  const { height, chainId, tokens, collection, unreadable } = read;
  const holders = Array.from(read.holders, ([owner, held]) => ({ owner, tokens: held })).sort(
    (a, b) => b.tokens - a.tokens || (a.owner < b.owner ? -1 : 1),
  );
  const { name } = collection.collection;
  output.note(
    `${count(holders.length, "holder")} of ${count(tokens, "token")} of "${printableText(name)}", chain ${chainId}, height ${group(height)}`,
  );
  const text = rowsText<(typeof holders)[number]>(flags.format, [
    { title: "owner", value: ({ owner }) => spellAddress(owner) },
    { title: "tokens", value: (row) => String(row.tokens), isNumber: true },
  ]);
  if (!output.isJson) writePage(output, flags.format, text.page(holders));
  settleUnreadable(output, unreadable.map(describeUnreadable), flags);
  output.json({
    command: "nft holders",
    chainId,
    height,
    collection: { address: collectionAddr, name },
    tokens,
    holders: holders.map(({ owner, tokens: held }) => ({ owner: spellAddress(owner), tokens: held })),
    unreadable: unreadable.map(unreadableJson),
  });
}
