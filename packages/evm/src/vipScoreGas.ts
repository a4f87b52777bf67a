import type { PinnedOptions, PricedRow, RowToWrite } from "@vipscore/core";
import { amountBytes, rowDataGas, type GasModel } from "./gasModel.ts";
import type { ContractReader } from "./readContract.ts";
import { readIds } from "./readIds.ts";

/** The contract's layout (contracts/evm/SPEC.md): four scores to a slot, 256 bits to a bucket, 16 counts to a span. */
const idsPerGroup = 4;
const idsPerBucket = 256;
const idsPerSpan = 4096;

// Upper bounds measured on the contract built with solc 0.8.37 (viaIR, 100,000 runs): cold access of a slot with its
// first value (22,100) or a change (5,000, EIP-2929), and the computation around it.
const freshGroup = 22_700n;
const usedGroup = 5_450n;
const freshBucket = 23_100n;
const freshSpan = 22_300n;

/** Gas of an account that is new to the contract: its id and its place in the list of accounts. */
const registerGas = 43_200n;

/**
 * Gas of every row besides slots and calldata: the lookup of the account's id (2,100), the event of three topics and
 * 64 bytes (2,012) and the computation, 5,210 in total; minievm, measured with a prototype of the contract, charges up to 800 more.
 */
const publishedRow: EntryPointGas = { packed: false, rowGas: (row) => 6_050n + rowDataGas(row), groupGas: 0n };

/**
 * In a packed batch, which identifies accounts by id and emits one event. A row costs eight bytes of calldata and the work
 * on its lane; a group costs one more word of calldata, with five nonzero bytes, and one loop iteration. Measured: 6,030 gas
 * for a changed group of four, including its slot.
 */
const packedRow: EntryPointGas = { packed: true, rowGas: (row) => 150n + 12n * amountBytes(row), groupGas: 450n };

/**
 * A batch without its rows: 33,000, the very first account (22,500), and what the first row pays because the row before
 * it is in another transaction: a group, a bucket and a span, plus a bucket and a span if a run of new accounts crosses a
 * boundary. Covers the fixed 141,600 that minievm adds to a receipt.
 */
const baseGas = 175_000n;

/** Gas of an entry point besides the slots that it writes. */
interface EntryPointGas {
  readonly packed: boolean;
  readonly rowGas: (row: RowToWrite) => bigint;
  /** Per group, charged to its first row. */
  readonly groupGas: bigint;
}

/** A row with the id of its account; 0 if the account is unknown to the contract. */
export type IdentifiedRow = RowToWrite & { readonly accountId: number };

/** Prices for our contract: rows whose accounts are neighbors in its registry share slots. */
export function vipScoreGas(reader: ContractReader): GasModel {
  return {
    baseGas,
    priceRows: async (rows, { packed = false, ...at }) =>
      priceIdentified(await identifyRows(reader, rows, at), packed ? packedRow : publishedRow),
  };
}

/** Adds its account's id to each row that does not have it from an earlier pricing. */
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
 * Orders rows by account id, unknown accounts last in the given order, and prices each as the successor of the one before
 * it. A slot counts as new unless one of its rows has a score.
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
  const last = { group: -1, bucket: -1, span: -1 };
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
    last.bucket = bucket;
    last.span = span;
    return { ...row, gas, packed };
  });
}

/**
 * New accounts get consecutive ids from an unknown one on: each pays its share of a group and a bucket, and the first
 * pays the most that the start of such a run can add.
 */
function priceUnknown(rows: readonly RowToWrite[]): readonly PricedRow[] {
  const share = freshGroup / BigInt(idsPerGroup) + (freshBucket + freshSpan) / BigInt(idsPerBucket);
  return rows.map((row, index) => {
    const start = index === 0 ? 2n * freshGroup + freshBucket + freshSpan : 0n;
    const gas = publishedRow.rowGas(row) + registerGas + share + start;
    return { ...row, gas, packed: false };
  });
}
