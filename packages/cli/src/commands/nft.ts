import { Option, type Command } from "commander";
import { errorCodes, formatChecksummed, InputError, NodeError, parseAccount, VipError } from "@vipscore/core";
import { nodeFileName, readNodeFile } from "@vipscore/core/nodeFile";
import { count, group } from "@vipscore/core/values";
import { parseEndpoint, type HttpEndpoint } from "@vipscore/core/wire";
import {
  IndexerRequestError,
  openIndexer,
  tokensByAccount,
  tokensByCollection,
  type BadRow,
  type Indexer,
  type IndexerErrorCode,
  type Listing,
  type NftToken,
} from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { readHolders } from "@vipscore/indexer-client/holders";
import type { Context } from "../context.ts";
import { configOption, parseWhole, settingOption, withOutputOptions } from "../options.ts";
import type { Output } from "../output/output.ts";
import { printableText } from "../output/printable.ts";
import { pageFormatter, type Column, type RowsFormat } from "../output/table.ts";
import { readConfigFile } from "../settings/projectFiles.ts";
import { findSetting } from "../settings/settings.ts";

export function addNft(nft: Command, context: Context): void {
  withIndexerOptions(nft.command("tokens [account]"))
    .description("list the tokens of an account, of a collection, or of an account in a collection")
    .option("--collection <address>", "only tokens of this collection")
    .option("--token-id <id>", "only the token with this ID")
    .addOption(
      new Option(
        "--order-by <field>",
        "order by token ID (as text or as a number, ascending) or by height (newest first)",
      )
        .choices(["token_id", "token_number", "height"])
        .default("token_id"),
    )
    .option("--limit <n>", "maximum number of tokens (default: all)", parseWhole("--limit", "a positive integer", 1))
    .addOption(formatOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore nft tokens --collection 0x1d8e31d5071bb4072fffc05b792685dcc5085bde --format csv > tokens.csv",
    )
    .action((account: string | undefined, flags: TokensFlags) =>
      withIndexerErrors(() => listTokens(context, account, flags)),
    );
  withIndexerOptions(nft.command("holders <collection>"))
    .description("list how many tokens of a collection each holder has, as of one height")
    .addOption(formatOption())
    .addHelpText("after", "\nExample:\n  $ vipscore nft holders 0x1d8e31d5071bb4072fffc05b792685dcc5085bde")
    .action((collection: string, flags: HoldersFlags) =>
      withIndexerErrors(() => listHolders(context, collection, flags)),
    );
}

function withIndexerOptions(command: Command): Command {
  return withOutputOptions(command)
    .addOption(settingOption("indexerUrl", "base URL of the chain's NFT indexer"))
    .addOption(configOption())
    .option("--skip-unreadable", "skip rows that the indexer cannot serve instead of failing");
}

function formatOption(): Option {
  return new Option("--format <format>", "output format").choices(["table", "csv"]).default("table");
}

/** Addresses have 20 bytes, on Move also 32. */
const addresses = { accountBytes: [20, 32] } as const;

/** Maximum number of rows that the indexer returns per page. */
const pageRows = 1000;

interface HoldersFlags {
  readonly indexerUrl?: string;
  readonly config?: string;
  readonly skipUnreadable?: boolean;
  readonly format: RowsFormat;
}

interface TokensFlags extends HoldersFlags {
  readonly collection?: string;
  readonly tokenId?: string;
  readonly orderBy: "token_id" | "token_number" | "height";
  readonly limit?: number;
}

async function listTokens(context: Context, account: string | undefined, flags: TokensFlags): Promise<void> {
  const { io, output } = context;
  const { format, limit = Number.POSITIVE_INFINITY } = flags;
  const listing = await openListing(context, account, flags);
  const given = { account: account !== undefined, collection: flags.collection !== undefined };
  const formatPage = pageFormatter(format, tokenColumns(format, given), output.columns);
  const kept: object[] = [];
  const unreadable: BadRow[] = [];
  let listed = 0;
  const pages = listing.pages({
    limit: Math.min(limit, pageRows),
    signal: io.signal,
    onBadRow: (row) => unreadable.push(row),
  });
  for await (const { items } of pages) {
    const rows = items.slice(0, limit - listed);
    listed += rows.length;
    if (output.isJson) kept.push(...rows.map(tokenJson));
    else writePage(output, format, formatPage(rows));
    if (listed >= limit) break;
  }
  output.note(count(listed, "token"));
  settleUnreadable(output, unreadable, flags);
  output.json({ command: "nft tokens", count: listed, tokens: kept, unreadable: unreadableJson(unreadable) });
}

function writePage(output: Output, format: RowsFormat, page: string): void {
  if (format === "csv") output.raw(page);
  else output.printLines(page);
}

async function openListing(
  context: Context,
  account: string | undefined,
  { collection, tokenId, orderBy, ...flags }: TokensFlags,
): Promise<Listing<NftToken>> {
  const owner = account === undefined ? undefined : parseAccount(account, addresses);
  const collectionAddr = collection === undefined ? undefined : parseAccount(collection, addresses);
  if (tokenId === "") throw new InputError("--token-id is empty");
  const options = { tokenId, orderBy, reverse: orderBy === "height" };
  if (owner === undefined && collectionAddr === undefined) {
    throw new InputError("no account or collection is given", {
      metaMessages: ["Give the account whose tokens to list, --collection <address>, or both."],
    });
  }
  const indexer = await openNftIndexer(context, flags);
  if (owner === undefined) return tokensByCollection(indexer, String(collectionAddr), options);
  if (collectionAddr !== undefined) return tokensByAccount(indexer, owner, { ...options, collectionAddr });
  if (orderBy === "token_number") throw new InputError("--order-by token_number needs --collection <address>");
  return tokensByAccount(indexer, owner, { ...options, orderBy });
}

function tokenJson({ collection_addr, collection_name, object_addr, owner, nft, height, timestamp }: NftToken) {
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
  const collectionAddr = parseAccount(address, addresses);
  const read = await readHolders(await openNftIndexer(context, flags), collectionAddr, {
    signal: io.signal,
    skipUnreadable: true,
    onProgress: ({ attempt, tokensRead }) => {
      const again = attempt > 1 ? `, attempt ${group(attempt)}` : "";
      output.showTransient(`${collectionAddr}  ${group(tokensRead)} tokens${again}`);
    },
  });
  const { height, chainId, tokens, collection, unreadable } = read;
  const holders = Array.from(read.holders, ([owner, held]) => ({ owner, tokens: held })).sort(
    (a, b) => b.tokens - a.tokens || (a.owner < b.owner ? -1 : 1),
  );
  const { name } = collection.collection;
  output.note(
    `${count(holders.length, "holder")} of ${count(tokens, "token")} of "${printableText(name)}", chain ${chainId}, height ${group(height)}`,
  );
  const formatPage = pageFormatter<(typeof holders)[number]>(
    flags.format,
    [
      { title: "owner", value: ({ owner }) => spellAddress(owner) },
      { title: "tokens", value: (row) => String(row.tokens), isNumber: true },
    ],
    output.columns,
  );
  if (!output.isJson) writePage(output, flags.format, formatPage(holders));
  settleUnreadable(output, unreadable, flags);
  output.json({
    command: "nft holders",
    chainId,
    height,
    collection: { address: collectionAddr, name },
    tokens,
    holders: holders.map(({ owner, tokens: held }) => ({ owner: spellAddress(owner), tokens: held })),
    unreadable: unreadableJson(unreadable),
  });
}

/** Opens the indexer of the settings or the local node, and prints it to stderr unless a flag set it. */
async function openNftIndexer({ io, output, scrubber }: Context, flags: HoldersFlags): Promise<Indexer> {
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const setting = findSetting("indexerUrl", { flags, env: io.env, config }, [nodeFileName, node?.indexerUrl]);
  if (setting === undefined) {
    throw new InputError("no NFT indexer is set", {
      code: "CONFIG_INVALID",
      metaMessages: [
        "Start one with a local node: vipscore node --indexer",
        "Or set one with --indexer-url, INDEXER_URL or indexerUrl in vipscore.config.json.",
      ],
    });
  }
  const { value, source } = setting;
  scrubber.addUrl(value);
  let endpoint: HttpEndpoint;
  let indexer: Indexer;
  try {
    endpoint = parseEndpoint(value, "indexer URL");
    const { headers } = endpoint;
    indexer = openIndexer(endpoint.at("").href, { fetch: (url, options) => fetch(url, { ...options, headers }) });
  } catch (cause) {
    // The text may contain a key pasted into the wrong place, so do not repeat it.
    throw new InputError(
      `${source} is not an indexer URL: it must be http:// or https://, and end before /indexer/nft/v1`,
      {
        code: "CONFIG_INVALID",
        cause,
      },
    );
  }
  if (source !== "--indexer-url") {
    output.note(output.paintNote("dim", `indexer   ${endpoint.shown}  (${source})`));
  }
  return indexer;
}

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

async function withIndexerErrors<T>(work: () => Promise<T>): Promise<T> {
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
  return category === "check" ? new VipError(message, options) : new NodeError(message, options);
}

/** Formats an owner as `0x` hex, as everywhere in this command. Returns text that is not an address unchanged. */
function spellOwner(spelling: string): string {
  let hex: string;
  try {
    hex = decodeAddress(spelling);
  } catch {
    return spelling;
  }
  return spellAddress(hex);
}

/** Formats an address given in lower-case `0x` hex: with an EIP-55 checksum if it has 20 bytes. */
function spellAddress(hex: string): string {
  // The zero address is not a valid account, and has no letters.
  return /^0x0+$/.test(hex) ? hex : formatChecksummed(parseAccount(hex, addresses));
}

/** A table omits the columns that are the same on every line; CSV has all. */
function tokenColumns(
  format: RowsFormat,
  given: { readonly account: boolean; readonly collection: boolean },
): readonly Column<NftToken>[] {
  const isCsv = format === "csv";
  const columns: readonly (Column<NftToken> | false)[] = [
    (isCsv || !given.collection) && { title: "collection", value: (token) => token.collection_addr },
    { title: "token_id", value: ({ nft }) => nft.token_id },
    (isCsv || !given.account) && { title: "owner", value: (token) => spellOwner(token.owner) },
    { title: "height", value: (token) => String(token.height), isNumber: true },
    { title: "timestamp", value: ({ timestamp }) => timestamp },
    { title: "uri", value: ({ nft }) => nft.uri },
  ];
  return columns.filter((column) => column !== false);
}

/** Maximum number of rows listed for people; `--json` has all. */
const rowsShown = 5;

/** Warns of skipped rows; throws unless they may be skipped. */
function settleUnreadable(output: Output, rows: readonly BadRow[], { skipUnreadable }: HoldersFlags): void {
  if (rows.length === 0) return;
  const left = rows.length - rowsShown;
  const named = rows.slice(0, rowsShown).map(({ offset }) => `row ${group(offset + 1)} of the listing`);
  const shown = [...named, ...(left > 0 ? [`and ${group(left)} more`] : [])];
  const what = `the NFT indexer cannot serve ${count(rows.length, "row")}`;
  if (skipUnreadable !== true) {
    throw new NodeError(`${what}: ${shown.join("; ")}`, {
      code: "INDEXER_UNREADABLE",
      metaMessages: ["Use another indexer with --indexer-url, or skip the rows with --skip-unreadable."],
    });
  }
  output.warn(`${what}, skipped:`);
  for (const row of shown) output.note(`  ${row}`);
}

function unreadableJson(rows: readonly BadRow[]): readonly object[] {
  return rows.map(({ offset }) => ({ row: offset + 1 }));
}
