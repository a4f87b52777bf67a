import { buildSnapshot, verifyProof, type Snapshot } from "@vipscore/snapshot";
import { addressAt, decodeRows, findRow } from "./decodeRows.ts";
import type { Answer, ProofResult, Request, RowArrays, StageFacts } from "./messages.ts";

// Unpacking the rows and hashing the tree take seconds with a million rows: here they do not stop the page.

let opened: { readonly rows: RowArrays; readonly facts: StageFacts } | undefined;
let snapshot: Snapshot | undefined;

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  if (data.kind === "open") void open(data.rows, data.facts);
  else find(data.address);
});

async function open(text: string, facts: StageFacts): Promise<void> {
  const rows = await decodeRows(text);
  opened = { rows, facts };
  const copy = { addresses: rows.addresses.slice(), scores: rows.scores.slice(), ranks: rows.ranks.slice() };
  answer({ kind: "opened", ...copy }, [copy.addresses.buffer, copy.scores.buffer, copy.ranks.buffer]);
}

function find(address: string): void {
  if (opened === undefined) return;
  const { rows, facts } = opened;
  const row = findRow(rows.addresses, address);
  const score = rows.scores[row];
  if (score === undefined) {
    answer({ kind: "found", address, row: undefined });
    return;
  }
  answer({ kind: "found", address, row: { rank: rows.ranks[row] ?? 0, score } });
  if (facts.bridgeId !== null) answer({ kind: "proved", address, proof: prove(rows, facts, facts.bridgeId, address) });
}

function prove(rows: RowArrays, facts: StageFacts, bridge: string, address: string): ProofResult {
  const [bridgeId, stage, total] = [BigInt(bridge), BigInt(facts.stage), BigInt(facts.total)];
  snapshot ??= buildSnapshot({ bridgeId, stage, total, rows: listRows(rows) });
  const leaf = snapshot.leafOf(address);
  const { root } = facts;
  if (leaf === undefined || root === null) return { problem: "A score of 0 has no proof, and needs none." };
  if (snapshot.root !== root) return { problem: "The rows of this page do not give its root: the page was changed." };
  const isProved = verifyProof({ bridgeId, stage, total, root, ...leaf });
  const { account, score, proof } = leaf;
  // The form of a file of proofs, which `vipscore verify-proof` checks.
  const leaves = [{ address: account, score: `${score}`, proof }];
  const file = JSON.stringify({ bridgeId: bridge, stage: facts.stage, root, total: facts.total, leaves }, undefined, 1);
  return { file, isProved, hashes: proof.length };
}

function* listRows({ addresses, scores }: RowArrays): Generator<{ readonly account: string; readonly score: bigint }> {
  for (const [row, score] of scores.entries()) yield { account: addressAt(addresses, row), score };
}

function answer(message: Answer, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}
