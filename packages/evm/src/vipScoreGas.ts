import type { PinnedOptions, PricedRow, RowToWrite } from "@vipscore/core";
import type { ContractReader } from "./callContract.ts";
import { amountBytes, rowDataGas, type GasModel } from "./gasModel.ts";
import { readIds } from "./readIds.ts";

/** The contract's layout (docs/spec.md): a group of four scores to a slot, a bucket of 256 bits, a span of 16 counts, a block of 8. */
const idsPerGroup = 4;
const idsPerBucket = 256;
const idsPerSpan = 4096;
const idsPerBlock = 32_768;

// Upper bounds measured on the contract built with solc 0.8.37 (viaIR, 100,000 runs): a slot's cold access and first
// value (22,100) or change (5,000, EIP-2929), and the work around it.
const freshGroup = 22_700n;
const usedGroup = 5_450n;
const freshBucket = 23_100n;
const freshSpan = 22_300n;
const freshBlock = 22_300n;

/** What an account costs that the contract has never seen: its id and its place in the list of accounts. */
const registerGas = 43_200n;

/**
 * What every row costs besides slots and calldata: the look-up of the account's id (2,100), the event of three topics and
 * 64 bytes (2,012) and the work on the row, 5,210 in all; minievm, by a sketch of the contract, charges up to 800 more.
 */
const publishedRow: EntryPointGas = { packed: false, rowGas: (row) => 6_050n + rowDataGas(row), groupGas: 0n };

/**
 * In a packed batch, which names accounts by number and has one event for all. A row is eight bytes of calldata and the work on
 * its lane, a group one more word of calldata, of which five bytes are not zero, and a turn of the loop. Measured: 6,030 gas
 * for a group of four that changes, its slot included.
 */
const packedRow: EntryPointGas = { packed: true, rowGas: (row) => 150n + 12n * amountBytes(row), groupGas: 450n };

/**
 * A batch without its rows: 33,000, the first account of all (22,500), and what the first row pays because the row before
 * it is in another transaction: a group, a bucket and a span, and once more a bucket and a span where a run of new
 * accounts crosses a boundary. There, all but what is crossed into exists already, which leaves room for a block. minievm's fixed part of a receipt, 141,600, is within it.
 */
const baseGas = 175_000n;

/** What an entry point costs beside the slots that it writes. */
interface EntryPointGas {
  readonly packed: boolean;
  readonly rowGas: (row: RowToWrite) => bigint;
  /** For the first row of a group. */
  readonly groupGas: bigint;
}

/** A row with the number under which the contract knows its account, 0 when it does not. */
export type IdentifiedRow = RowToWrite & { readonly accountId: number };

/** Prices for our contract: rows whose accounts are neighbors in its registry share slots. */
export function vipScoreGas(reader: ContractReader): GasModel {
  return {
    baseGas,
    priceRows: async (rows, { packed = false, ...at }) =>
      priceIdentified(await identifyRows(reader, rows, at), packed ? packedRow : publishedRow),
  };
}

/** Gives each row the number of its account; rows that were priced before have it already. */
async function identifyRows(
  reader: ContractReader,
  rows: readonly RowToWrite[],
  options: PinnedOptions,
): Promise<readonly IdentifiedRow[]> {
  const unidentified = rows.filter(({ accountId }) => accountId === undefined);
  const accounts = unidentified.map(({ account }) => account);
  const ids = (await readIds(reader, accounts, options)).values();
  return rows.map((row) => ({ ...row, accountId: row.accountId ?? ids.next().value ?? 0 }));
}

/**
 * Orders rows by registry number, unknown accounts last as given, and prices each as the follower of the one before it.
 * Whether a slot is fresh is known only as far as the rows tell: without a row that has a score it is taken as fresh.
 */
export function priceIdentified(
  rows: readonly IdentifiedRow[],
  entryPoint: EntryPointGas = publishedRow,
): readonly PricedRow[] {
  const known = rows.filter(({ accountId }) => accountId !== 0).sort((a, b) => a.accountId - b.accountId);
  const unknown = rows.filter(({ accountId }) => accountId === 0);
  return [...priceKnown(known, entryPoint), ...priceUnknown(unknown)];
}

function priceKnown(rows: readonly IdentifiedRow[], { rowGas, groupGas, packed }: EntryPointGas): readonly PricedRow[] {
  const usedGroups = new Set<number>();
  for (const { current = 0n, accountId } of rows) {
    if (current > 0n) usedGroups.add(Math.floor(accountId / idsPerGroup));
  }
  const last = { group: -1, bucket: -1, span: -1, block: -1 };
  return rows.map((row) => {
    const { current = 0n, accountId: id } = row;
    let gas = rowGas(row);
    const group = Math.floor(id / idsPerGroup);
    if (group !== last.group) gas += groupGas + (usedGroups.has(group) ? usedGroup : freshGroup);
    last.group = group;
    if (current > 0n) return { ...row, gas, packed };
    // The row may be new in the stage: its bucket's bits, and the count of the bucket.
    const bucket = Math.floor(id / idsPerBucket);
    const span = Math.floor(id / idsPerSpan);
    if (bucket !== last.bucket) gas += freshBucket + (span === last.span ? 0n : freshSpan);
    const block = Math.floor(id / idsPerBlock);
    if (block !== last.block) gas += freshBlock;
    last.bucket = bucket;
    last.span = span;
    last.block = block;
    return { ...row, gas, packed };
  });
}

/**
 * New accounts get neighboring numbers, from one on that is unknown here: each bears its share of a group and a bucket,
 * and the first what a run that starts anywhere can need on top.
 */
function priceUnknown(rows: readonly RowToWrite[]): readonly PricedRow[] {
  const share = freshGroup / BigInt(idsPerGroup) + (freshBucket + freshSpan) / BigInt(idsPerBucket);
  return rows.map((row, index) => {
    const start = index === 0 ? 2n * freshGroup + freshBucket + freshSpan + freshBlock : 0n;
    const gas = publishedRow.rowGas(row) + registerGas + share + start;
    return { ...row, gas, packed: false };
  });
}
