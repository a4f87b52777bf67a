import { InputError, openForReading, systemErrorCode, VipError, type Account } from "@vipscore/core";
import { verifyProof, type SnapshotLeaf } from "@vipscore/snapshot";
import type { Context } from "../../context.ts";
import { pathOf } from "../../files/readTable.ts";
import { valueAt } from "../../files/valueAt.ts";
import { ProofSplitter, type ProofPart } from "./proofSplitter.ts";

/** Statements of a file of proofs about its stage. */
export interface ProofsHead {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  /** Undefined without leaves. */
  readonly root: string | undefined;
  readonly total: bigint;
}

/** Results of checking a file of proofs. */
export interface CheckedProofs extends ProofsHead {
  /** Leaves that were checked. */
  readonly checked: number;
  /** Accounts whose proof does not lead to the root; at most {@link maxNamed}. */
  readonly wrong: readonly string[];
  readonly wrongCount: number;
}

/** Accounts with a wrong proof that are named; with one of them changed, all may be wrong. */
const maxNamed = 10;

/**
 * Reads a file of proofs and checks them against its root, those of one account or all.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if it is not such a file; the signal's reason when aborted.
 */
export async function checkProofs(context: Context, file: string, only: Account | undefined): Promise<CheckedProofs> {
  let head: ProofsHead | undefined;
  const wrong: string[] = [];
  let checked = 0;
  let wrongCount = 0;
  let number = 0;
  for await (const { kind, value } of partsOf(context, file)) {
    if (kind === "head") {
      head = readHead(file, value);
      continue;
    }
    number += 1;
    const leaf = readLeaf(`leaf ${number} of ${file}`, value);
    if (only !== undefined && leaf.account !== only) continue;
    checked += 1;
    if (head !== undefined && isProved(`leaf ${number} of ${file}`, head, leaf)) continue;
    wrongCount += 1;
    if (wrong.length < maxNamed) wrong.push(leaf.account);
  }
  if (head === undefined) throw new InputError(`${file} is not a file of proofs`);
  return { ...head, checked, wrong, wrongCount };
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

function readHead(file: string, value: unknown): ProofsHead {
  const root = valueAt(value, "root");
  if (root !== null && !isHash(root)) throw wrongField(file, "root");
  return {
    bridgeId: readU64(file, value, "bridgeId"),
    stage: readU64(file, value, "stage"),
    root: root === null ? undefined : root.toLowerCase(),
    total: readU64(file, value, "total"),
  };
}

function readLeaf(place: string, value: unknown): SnapshotLeaf {
  const address = valueAt(value, "address");
  if (typeof address !== "string" || !/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(address))
    throw wrongField(place, "address");
  const proof = valueAt(value, "proof");
  if (!Array.isArray(proof) || !proof.every(isHash)) throw wrongField(place, "proof");
  const account: `0x${string}` = `0x${address.slice(2).toLowerCase()}`;
  return { account, score: readU64(place, value, "score"), proof };
}

function isProved(place: string, { root, ...stage }: ProofsHead, leaf: SnapshotLeaf): boolean {
  if (root === undefined) throw new InputError(`there is ${place}, but no root`);
  return verifyProof({ ...stage, ...leaf, root });
}

function readU64(place: string, value: unknown, field: string): bigint {
  const text = valueAt(value, field);
  if (typeof text !== "string" || !/^\d{1,20}$/.test(text) || BigInt(text) >= 2n ** 64n) throw wrongField(place, field);
  return BigInt(text);
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/i.test(value);
}

function wrongField(place: string, field: string): InputError {
  const form =
    field === "address"
      ? "0x and hexadecimal digits"
      : field === "root" || field === "proof"
        ? "made of 64 hexadecimal digits"
        : "a u64 in decimal text";
  return new InputError(`${field} of ${place} is not ${form}`);
}
