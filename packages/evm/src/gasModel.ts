import { encodeFunctionData, size, type Hex } from "viem";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import type {
  Account,
  OtherCall,
  PinnedOptions,
  PricedRow,
  PriceOptions,
  ReadOptions,
  RowToWrite,
  ScoreRow,
  TransactionLimits,
} from "@vipscore/core";
import { inOrder, parallelPages, type Answer, type JsonRpc } from "@vipscore/core/wire";
import { decodeView, readContract, readRaw, type ContractReader } from "./readContract.ts";

/** Gas of writing on one kind of scoring contract: upper bounds on the Ethereum schedule (Cancun to Osaka). */
export interface GasModel {
  /** A batch without its rows, with any entry point. */
  readonly baseGas: bigint;
  readonly priceRows: (rows: readonly RowToWrite[], options: PriceOptions) => Promise<readonly PricedRow[]>;
}

/**
 * Gas of the calldata of one row: 16 per nonzero byte, 4 per zero byte (EIP-2028). Twelve bytes of an address and the
 * leading bytes of an amount are zero.
 */
export function rowDataGas(row: ScoreRow): bigint {
  return 12n * 4n + 20n * 16n + 32n * 4n + amountBytes(row) * 12n;
}

/** Bytes of a score without leading zeros. */
export function amountBytes({ score }: ScoreRow): bigint {
  return BigInt(Math.ceil(score.toString(16).length / 2));
}

/**
 * Upper bound of the gas of a call that writes no scores and has no list. Measured: at most 80,000 on the Ethereum schedule (a
 * new member of our contract), and 137,932 to finalize on minievm v1.2.18, whose receipts carry a fixed part.
 */
export const otherCallGas = 250_000n;

/** Upper bound of the gas of a member in a new list; measured: 48,000. */
const listedMemberGas = 55_000n;

/** Upper bound of the gas of a call other than `updateScores`. */
export function callGas(call: OtherCall): bigint {
  return otherCallGas + (call.kind === "setMembers" ? listedMemberGas * BigInt(call.accounts.length) : 0n);
}

/** The constructor writes the owner, the first member, and the first stage and its number: at most seven new slots, and two events. */
const constructorGas = 250_000n;

/**
 * Upper bound of the gas to create a contract, on the Ethereum schedule: 53,000 for the transaction, 16 per byte
 * (EIP-2028, counting every byte as nonzero), 2 per word of creation code (EIP-3860), 200 per byte of deployed code,
 * which is shorter than the creation code.
 */
export function deployGas(creationCode: Hex): bigint {
  const bytes = BigInt(size(creationCode));
  return 53_000n + bytes * (16n + 200n) + ((bytes + 31n) / 32n) * 2n + constructorGas;
}

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
const vipScoreBaseGas = 175_000n;

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
    baseGas: vipScoreBaseGas,
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
  // A contract that knows no account has no ids to read.
  const isNew = accounts.length > 0 && (await readContract(reader, "accountCount", [], options)) === 0;
  const ids = (isNew ? [] : await readIds(reader, accounts, options)).values();
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

/** Largest gas limit of one transaction since Osaka (EIP-7825), 2^24; Hardhat applies it in every hardfork. */
const transactionGasCap = 16_777_216n;

/** geth refuses transactions above 131,072 bytes (`txMaxSize`); the margin is for a proxy's envelope. */
const maxBytes = 120_000;

/** Signature, fields of the transaction at their widest (about 230 bytes), selector and four words before the rows. */
const baseBytes = 400;

/** An address and an amount, one ABI word each. */
const rowBytes = 64;

export async function transactionLimits(
  rpc: JsonRpc,
  baseGas: bigint,
  signal: AbortSignal | undefined,
): Promise<TransactionLimits> {
  const readGasLimit = (block: Answer): bigint => block.field("gasLimit").quantity();
  const blockGas = await rpc.read("eth_getBlockByNumber", ["latest", false], readGasLimit, signal);
  const maxGas = blockGas < transactionGasCap ? blockGas : transactionGasCap;
  return { baseGas, maxGas, baseBytes, rowBytes, maxBytes };
}

/** Accounts per call: one cold slot each, about 3,000 gas with calldata and answer; minievm aborts a call at 10,000,000 gas. */
const pageAccounts = 1000;

/** Reads the ids of accounts in our contract, in the accounts' order; 0 for an unknown account. An id never changes. */
export async function readIds(
  reader: ContractReader,
  accounts: readonly Account[],
  { height, signal }: ReadOptions,
): Promise<readonly number[]> {
  const ids: number[] = [];
  const readPage = (page: readonly Account[], pageSignal: AbortSignal): Promise<readonly number[]> => {
    const data = encodeFunctionData({ abi: vipScoreAbi, functionName: "idsOf", args: [page] });
    const read = (result: Hex, answer: Answer): readonly number[] => {
      const found = decodeView("idsOf", result);
      return found?.length === page.length ? found : answer.unreadable(`the ids of ${page.length} accounts`);
    };
    return readRaw(reader, data, read, { height, signal: pageSignal });
  };
  for await (const page of inOrder(accountPages(accounts), parallelPages, readPage, signal)) {
    ids.push(...page);
  }
  return ids;
}

function* accountPages(accounts: readonly Account[]): Generator<readonly Account[]> {
  for (let start = 0; start < accounts.length; start += pageAccounts) yield accounts.slice(start, start + pageAccounts);
}

/**
 * A row that is new in its stage writes two new slots (score, index to address: 22,100 gas each, EIP-2929), the count,
 * the total and an event of three topics and 64 bytes. Measured on the reference contract: 50,963 per row, including
 * calldata, solc 0.8.37 with 200 optimizer runs. The margin is for contracts built with other settings.
 */
const newRowGas = 52_500n;

/** An overwritten row writes one slot and the total, and emits an event; measured as above: 10,550 per row. */
const changedRowGas = 11_300n;

/**
 * 21,000 for the transaction, fixed calldata, the allow-list, and the first write of total and count, which may be new:
 * 51,600 on the Ethereum schedule. minievm v1.2.18 adds a fixed amount to each receipt, 141,600 in total, and charges
 * less than the above per row.
 */
const referenceBaseGas = 145_000n;

/** Prices for a contract with the reference's layout: no row makes another cheaper, so the given order is kept. */
export const referenceGas: GasModel = {
  baseGas: referenceBaseGas,
  priceRows: (rows) => Promise.resolve(rows.map((row) => ({ ...row, gas: gasOf(row), packed: false }))),
};

function gasOf(row: RowToWrite): bigint {
  return (row.current === undefined ? newRowGas : changedRowGas) + rowDataGas(row);
}
