import { createSHA3 } from "hash-wasm";
import { InputError } from "@vipscore/core/errors";
import { buildSnapshot, verifyProof, type Sha3, type Snapshot } from "@vipscore/snapshot";
import { claimTransaction } from "./claimTransaction.ts";
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
  answer({ kind: "opened", ...copy }, [copy.addresses.buffer, copy.ranks.buffer, ...values]);
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
  answer({ kind: "found", address, row });
  const isScored = row !== undefined && row.score > 0n;
  // An account without a score has no proof, but a claim: L1 takes the stages in order.
  if (facts.bridgeId === null || (!isScored && facts.claim === null)) return;
  answer({ kind: "proved", address, proof: prove(opened, facts.bridgeId, { address, isScored }) });
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
  // The form of a file of proofs, which `vipscore verify-proof` checks.
  const leaves = [{ address: account, score: `${score}`, proof }];
  const head = { bridgeId: bridge, stage: facts.stage, l1: facts.l1, root, total: facts.total };
  const file = JSON.stringify({ ...head, leaves }, undefined, 1);
  return { proof: { file, isProved }, claim: isProved ? claimTransaction(facts, leaf) : undefined };
}

function* listRows({ addresses, values }: RowArrays): Generator<{ readonly account: string; readonly score: bigint }> {
  for (const [row, score] of values.score.entries()) yield { account: addressAt(addresses, row), score };
}

function answer(message: WorkerAnswer, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}
