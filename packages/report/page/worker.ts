import { bech32 } from "@scure/base";
import { createSHA3 } from "hash-wasm";
import { InputError } from "@vipscore/core/errors";
import { buildSnapshot, verifyProof, type Sha3, type Snapshot } from "@vipscore/snapshot";
import { addressAt, decodeRows, findRow, rowAt } from "./decodeRows.ts";
import type { ProofResult, RowArrays, StageFacts, WorkerAnswer, WorkerRequest } from "./messages.ts";

// Unpacking the rows and hashing the tree take seconds with a million rows: here they do not stop the page.

interface OpenedRows {
  readonly rows: RowArrays;
  readonly facts: StageFacts;
  /** Undefined where the browser has WebAssembly turned off: then JavaScript hashes. */
  readonly sha3: Sha3 | undefined;
}

let opening: Promise<OpenedRows> | undefined;
let snapshot: Snapshot | undefined;

self.addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  if (data.kind === "open") opening = openRows(data.rows, data.facts);
  const done: Promise<unknown> | undefined =
    data.kind === "open" ? opening : opening?.then((opened) => find(opened, data.address));
  // A rejected promise would not reach the page; an error does.
  done?.catch(reportError);
});

async function openRows(text: string, facts: StageFacts): Promise<OpenedRows> {
  const rows = await decodeRows(text);
  const copy = structuredClone(rows);
  const values = Object.values(copy.values).map(({ buffer }) => buffer);
  respond({ kind: "opened", ...copy }, [copy.addresses.buffer, copy.ranks.buffer, ...values]);
  return { rows, facts, sha3: await loadSha3() };
}

async function loadSha3(): Promise<Sha3 | undefined> {
  const hasher = await createSHA3(256).catch(() => undefined);
  return hasher && ((data) => hasher.init().update(data).digest("binary"));
}

function find(opened: OpenedRows, address: string): void {
  const { rows, facts } = opened;
  const index = findRow(rows.addresses, address);
  const row = index < 0 ? undefined : rowAt(rows, index);
  respond({ kind: "found", address, row });
  const isScored = row !== undefined && row.score > 0n;
  // An account without a score has no proof, but a claim: L1 takes the stages in order.
  if (facts.bridgeId === null || (!isScored && facts.claim === null)) return;
  respond({ kind: "proved", address, proof: prove(opened, facts.bridgeId, { address, isScored }) });
}

function prove(
  { rows, facts, sha3 }: OpenedRows,
  bridge: string,
  { address, isScored }: { readonly address: string; readonly isScored: boolean },
): ProofResult {
  const [bridgeId, stage, total] = [BigInt(bridge), BigInt(facts.stage), BigInt(facts.total)];
  const changed = { problem: "The rows of this page do not give its root: the page was changed." };
  try {
    snapshot ??= buildSnapshot({
      bridgeId,
      stage,
      total,
      rows: listRows(rows),
      ...(sha3 === undefined ? {} : { sha3 }),
    });
  } catch (error) {
    if (error instanceof InputError) return changed;
    throw error;
  }
  const { root } = facts;
  if ((snapshot.root ?? null) !== root) return changed;
  if (!isScored)
    return { proof: undefined, claim: claimTransaction(facts, { account: address, score: 0n, proof: [] }) };
  const leaf = snapshot.leafOf(address);
  if (leaf === undefined || root === null) return changed;
  const isProved = verifyProof({ bridgeId, stage, total, root, ...leaf });
  const { account, score, proof } = leaf;
  // The form of a proof file, which `vipscore verify-proof` checks.
  const leaves = [{ address: account, score: `${score}`, proof }];
  const head = { bridgeId: bridge, stage: facts.stage, l1: facts.l1, root, total: facts.total };
  const file = JSON.stringify({ ...head, leaves }, undefined, 1);
  return { proof: { file, isProved }, claim: isProved ? claimTransaction(facts, leaf) : undefined };
}

function* listRows({ addresses, values }: RowArrays): Generator<{ readonly account: string; readonly score: bigint }> {
  for (const [row, score] of values.score.entries()) yield { account: addressAt(addresses, row), score };
}

function respond(message: WorkerAnswer, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}

/** What an account claims: its leaf, or a score of 0 and an empty proof. */
interface ClaimedLeaf {
  /** `0x` and 40 or 64 hex digits. */
  readonly account: string;
  readonly score: bigint;
  readonly proof: readonly string[];
}

/**
 * Returns the transaction that claims a stage, without signatures, as `vipscore claim` writes it; undefined if it is not known
 * where and at which price the stage is claimed. Its arguments are in Binary Canonical Serialization
 * (https://github.com/diem/bcs).
 */
function claimTransaction(
  { bridgeId, stage, l1, claim }: StageFacts,
  { account, score, proof }: ClaimedLeaf,
): string | undefined {
  if (bridgeId === null || l1 === null || claim === null) return undefined;
  const hashes = proof.map((hash) => [hash.length / 2, ...bytesOf(hash)]);
  const args = [u64(bridgeId), u64(l1.version), listOf([u64(stage)]), listOf([listOf(hashes)]), listOf([u64(score)])];
  const message = {
    "@type": "/initia.move.v1.MsgExecute",
    sender: bech32.encode("init", bech32.toWords(bytesOf(account.slice(2)))),
    module_address: l1.vipAddress,
    module_name: "vip",
    function_name: "batch_claim_user_reward_script",
    type_args: [],
    args: args.map((bytes) => btoa(String.fromCharCode(...bytes))),
  };
  const amount = claim.fee === null ? [] : [claim.fee];
  const transaction = {
    body: {
      messages: [message],
      memo: "",
      timeout_height: "0",
      extension_options: [],
      non_critical_extension_options: [],
    },
    auth_info: { signer_infos: [], fee: { amount, gas_limit: claim.gas, payer: "", granter: "" }, tip: null },
    signatures: [],
  };
  return `${JSON.stringify(transaction, undefined, 2)}\n`;
}

/** Eight bytes, the lowest first. */
function u64(value: bigint | string): readonly number[] {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(value), true);
  return [...new Uint8Array(bytes.buffer)];
}

/** The number of values, which is below 128, and the values. */
function listOf(values: readonly (readonly number[])[]): readonly number[] {
  return [values.length, ...values.flat()];
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}
