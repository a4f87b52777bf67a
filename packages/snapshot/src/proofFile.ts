import {
  CheckError,
  InputError,
  openForReading,
  parseAccount,
  systemErrorCode,
  VipError,
  type Account,
} from "@vipscore/core";
import { Field, fields, matching, nullable, text, u64 } from "@vipscore/core/field";
import { count } from "@vipscore/core/values";
import { verifyProof, type SnapshotLeaf } from "@vipscore/snapshot";
import type { Context } from "../context.ts";
import { pathOf } from "../contract/readTable.ts";
import type { ClaimTarget } from "./claimTarget.ts";
import { ProofSplitter, type ProofPart } from "./proofSplitter.ts";

/** Statements of a file of proofs about its stage. */
export interface ProofsHead {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  /** Undefined in a file that was written without it. */
  readonly target: ClaimTarget | undefined;
  /** Undefined without leaves. */
  readonly root: string | undefined;
  readonly total: bigint;
}

/** Results of checking a file of proofs. */
export interface CheckedProofs extends ProofsHead {
  /** Leaves that were checked. */
  readonly checked: number;
  /** The last of them. */
  readonly leaf: SnapshotLeaf | undefined;
  /** Sum of their scores. */
  readonly sum: bigint;
  /** Accounts whose proof does not lead to the root; at most {@link maxNamed}. */
  readonly wrong: readonly string[];
  readonly wrongCount: number;
}

/** Accounts with a wrong proof that are named; with one of them changed, all may be wrong. */
const maxNamed = 10;

const hash = /^[0-9a-f]{64}$/i;
const readHead = fields({
  bridgeId: u64,
  stage: u64,
  l1: nullable(fields({ chainId: text, vipAddress: text, version: u64 })),
  root: nullable(matching(hash, "64 hex digits")),
  total: u64,
});
const readLeaf = fields({
  address: matching(/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i, "0x and 40 or 64 hex digits"),
  score: u64,
  proof: readProof,
});

/**
 * Reads a file of proofs and checks them against its root, those of one account or all.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if it is not such a file, or one that two readers could understand differently; the signal's reason when aborted.
 */
export async function checkProofs(context: Context, file: string, only: Account | undefined): Promise<CheckedProofs> {
  let head: ProofsHead | undefined;
  const wrong: string[] = [];
  let checked = 0;
  let last: SnapshotLeaf | undefined;
  let sum = 0n;
  let wrongCount = 0;
  let number = 0;
  const accounts = new Set<Account>();
  for await (const { kind, value } of partsOf(context, file)) {
    if (kind === "head") {
      const { root, l1: target, ...stage } = readHead(new Field(value, file, refuse));
      head = { ...stage, target, root: root?.toLowerCase() };
      if (root === undefined && stage.total > 0n) throw refuse(file, `has a total of ${stage.total} and no root`);
      continue;
    }
    number += 1;
    const place = `leaf ${number} of ${file}`;
    const { address, score, proof } = readLeaf(new Field(value, place, refuse));
    const leaf: SnapshotLeaf = { account: `0x${address.slice(2).toLowerCase()}`, score, proof };
    const account = parseAccount(leaf.account, { accountBytes: [20, 32] });
    if (only !== undefined && account !== only) continue;
    if (accounts.has(account)) throw refuse(place, `is a second one of ${account}`);
    accounts.add(account);
    checked += 1;
    last = leaf;
    sum += score;
    if (head !== undefined && isProved(place, head, leaf)) continue;
    wrongCount += 1;
    if (wrong.length < maxNamed) wrong.push(leaf.account);
  }
  if (head === undefined) throw new InputError(`${file} is not a file of proofs`);
  if (wrongCount === 0 && sum > head.total)
    throw refuse(file, `has scores that add up to ${sum}, above its total of ${head.total}`);
  return { ...head, checked, leaf: last, sum, wrong, wrongCount };
}

/** Checks that every proof leads to the file's root. @throws CheckError `PROOF_INVALID`. */
export function requireProved(file: string, { wrong, wrongCount, checked }: CheckedProofs): void {
  if (wrongCount === 0) return;
  const left = wrongCount - wrong.length;
  throw new CheckError(`${wrongCount} of ${count(checked, "proof")} do not lead to the root of ${file}`, {
    code: "PROOF_INVALID",
    metaMessages: [...wrong, ...(left > 0 ? [`and ${left} more`] : [])],
  });
}

async function* partsOf({ io }: Context, file: string): AsyncGenerator<ProofPart, void, undefined> {
  try {
    yield* readParts(pathOf(io, file), file, io.signal);
  } catch (cause) {
    io.signal.throwIfAborted();
    if (VipError.isVipError(cause)) throw cause;
    const code = systemErrorCode(cause);
    throw new InputError(`${file} cannot be read (${code})`, { code: "FILE_UNREADABLE", cause });
  }
}

async function* readParts(path: string, file: string, signal: AbortSignal): AsyncGenerator<ProofPart, void, undefined> {
  const splitter = new ProofSplitter(file);
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of (await openForReading(path, signal)) as AsyncIterable<Uint8Array>) {
    yield* splitter.split(decoder.decode(chunk, { stream: true }));
  }
  yield* splitter.split(decoder.decode());
  splitter.finish();
}

function isProved(place: string, { root, ...stage }: ProofsHead, leaf: SnapshotLeaf): boolean {
  if (root === undefined) throw new InputError(`there is ${place}, but no root`);
  return verifyProof({ ...stage, ...leaf, root });
}

/** Not a list of readers, because a file may have millions of hashes. */
function readProof(field: Field): readonly string[] {
  const { value } = field;
  return Array.isArray(value) && value.every(isHash) ? value : field.expected("a list of 64 hex digits each");
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && hash.test(value);
}

function refuse(place: string, problem: string): InputError {
  return new InputError(`${place} ${problem}`);
}
