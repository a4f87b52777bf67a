import { InputError, quoteText, VipError } from "@vipscore/core/errors";
import {
  Field,
  fields,
  findRepeatedKey,
  JsonScanner,
  matching,
  nullable,
  optional,
  text,
  u64,
  type ReadField,
} from "@vipscore/core/field";
import { count, parseAccount, type Account } from "@vipscore/core/values";
import { buildSnapshot } from "./buildSnapshot.ts";
import type { SnapshotRow } from "./readRows.ts";
import { verifyProof, type Snapshot, type SnapshotLeaf } from "./snapshot.ts";

/** Where a stage is claimed on L1: a proof is good for no other registration. */
export interface ProofsTarget {
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  readonly version: bigint;
}

/** Leaves in one piece of text. */
const leavesInPiece = 500;

/**
 * The text of a proof file, in pieces: `{"bridgeId","stage","l1":{"chainId","vipAddress","version"},"root","total",
 * "leaves":[{"address","score","proof"}]}`, a leaf on each line; `l1` is null if it is not known. Integers are decimal text,
 * because a JavaScript number cannot hold every u64.
 *
 * @param leaves Some or all of the snapshot's; or all without their proofs, which is enough to compute the root.
 */
export async function* formatProofs(
  { bridgeId, stage, root, total }: Pick<Snapshot, "bridgeId" | "stage" | "root" | "total">,
  leaves: Iterable<SnapshotRow & Partial<SnapshotLeaf>>,
  target: ProofsTarget | undefined,
): AsyncGenerator<string, void, undefined> {
  const l1 = target === undefined ? null : { ...target, version: `${target.version}` };
  const head = { bridgeId: `${bridgeId}`, stage: `${stage}`, l1, root: root ?? null, total: `${total}` };
  yield `${JSON.stringify(head).slice(0, -1)},"leaves":[`;
  let lines = "";
  let number = 0;
  for (const { account, score, proof } of leaves) {
    lines += `${number === 0 ? "" : ","}\n${JSON.stringify({ address: account, score: `${score}`, proof })}`;
    number += 1;
    if (number % leavesInPiece > 0) continue;
    yield lines;
    lines = "";
  }
  yield `${lines}\n]}\n`;
}

/** Results of checking a proof file. */
export interface CheckedProofs {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  /** Undefined in a file that was written without it. */
  readonly target: ProofsTarget | undefined;
  /** Undefined without leaves. */
  readonly root: string | undefined;
  readonly total: bigint;
  /** Leaves that were checked. */
  readonly checked: number;
  /** The last of them. */
  readonly leaf: SnapshotLeaf | undefined;
  /** Sum of their scores. */
  readonly sum: bigint;
  /** Accounts whose proof does not lead to the root; at most 10. */
  readonly wrong: readonly string[];
  readonly wrongCount: number;
}

/** Accounts with a wrong proof that are named; with one of them changed, all may be wrong. */
const maxNamed = 10;

const hash = /^[0-9a-f]{64}$/i;
const isHash = (value: unknown): value is string => typeof value === "string" && hash.test(value);
const readHead = fields({
  bridgeId: u64,
  stage: u64,
  l1: nullable(fields({ chainId: text, vipAddress: text, version: u64 })),
  root: nullable(matching(hash, "64 hex digits")),
  total: u64,
});
/** Not a list of readers, because a file may have millions of hashes. */
const readProof: ReadField<readonly string[]> = (field) => {
  const { value } = field;
  return Array.isArray(value) && value.every(isHash) ? value : field.failExpected("a list of 64 hex digits each");
};
const readLeaf = fields({
  address: matching(/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i, "0x and 40 or 64 hex digits"),
  score: u64,
  proof: optional(readProof),
});

/** A proof file: the answer of `fetch`, its text, pieces of its text, or its parsed JSON. */
export type ProofFile =
  | { readonly ok: boolean; readonly status: number; readonly text: () => Promise<string> }
  | string
  | AsyncIterable<string>
  | { readonly leaves: readonly object[] };

export interface CheckProofsOptions {
  /** The file as given, for messages. Default: `the proof file`. */
  readonly name?: string;
  /** Check only the proof of this account, of any spelling. Default: all. */
  readonly account?: string | undefined;
}

/**
 * Reads a proof file and checks its proofs against its root: those of one account, or all. Where the file has all scores without
 * their proofs, computes the root from them.
 *
 * @throws InputError `INPUT_INVALID` if it is not such a file, or one that two readers could understand differently, or for an account
 * that cannot be read; `FILE_UNREADABLE` for an answer with an error; the pieces' own errors. VipError `PROOF_INVALID` if the scores of a
 * file without proofs do not lead to its root.
 * @example
 * const { leaf, wrongCount } = await checkProofs(await fetch("/proofs.json"), { account: "init1…" });
 */
export async function checkProofs(
  file: ProofFile,
  { name = "the proof file", account: wanted }: CheckProofsOptions = {},
): Promise<CheckedProofs> {
  const only = wanted === undefined ? undefined : parseAccount(wanted, { accountBytes: [20, 32] });
  let head: ReturnType<typeof readHead> | undefined;
  const wrong: string[] = [];
  let leaf: SnapshotLeaf | undefined;
  let sum = 0n;
  let wrongCount = 0;
  let number = 0;
  const accounts = new Set<Account>();
  const bare: SnapshotRow[] = [];
  for await (const { kind, value } of partsOf(piecesOf(file, name), name)) {
    if (kind === "head") {
      head = readHead(new Field(value, name, refuseProof));
      if (head.root === undefined && head.total > 0n)
        throw refuseProof(name, `has a total of ${head.total} and no root`);
      continue;
    }
    number += 1;
    const place = `leaf ${number} of ${name}`;
    const { address, score, proof } = readLeaf(new Field(value, place, refuseProof));
    const account = parseAccount(`0x${address.slice(2).toLowerCase()}`, { accountBytes: [20, 32] });
    if (proof === undefined) bare.push({ account, score });
    if (only !== undefined && account !== only) continue;
    if (accounts.has(account)) throw refuseProof(place, `is a second leaf for ${account}`);
    accounts.add(account);
    leaf = { account: `0x${address.slice(2).toLowerCase()}`, score, proof: proof ?? [] };
    sum += score;
    if (head?.root === undefined) throw new InputError(`there is ${place}, but no root`);
    if (proof === undefined || verifyProof({ ...head, ...leaf, root: head.root })) continue;
    wrongCount += 1;
    if (wrong.length < maxNamed) wrong.push(leaf.account);
  }
  if (head === undefined) throw new InputError(`${name} is not a proof file`);
  if (bare.length > 0) {
    if (bare.length < number) throw refuseProof(name, "has leaves with and without a proof");
    const snapshot = buildSnapshot({ ...head, rows: bare });
    if (snapshot.root !== head.root?.toLowerCase()) {
      throw new VipError(`the scores in ${name} do not lead to its root`, { code: "PROOF_INVALID" });
    }
    leaf = leaf && snapshot.leafOf(leaf.account);
  }
  if (wrongCount === 0 && sum > head.total)
    throw refuseProof(name, `has scores that add up to ${sum}, above its total of ${head.total}`);
  const { l1: target, root, ...stage } = head;
  return { ...stage, target, root: root?.toLowerCase(), checked: accounts.size, leaf, sum, wrong, wrongCount };
}

async function* piecesOf(file: ProofFile, name: string): AsyncGenerator<string, void, undefined> {
  if (typeof file === "string") yield file;
  else if (Symbol.asyncIterator in file) yield* file;
  else if ("leaves" in file) yield JSON.stringify(file);
  else if (file.ok) yield await file.text();
  else throw new InputError(`${name} cannot be read: status ${file.status}`, { code: "FILE_UNREADABLE" });
}

/** Checks that every proof leads to the file's root. @throws VipError `PROOF_INVALID`. */
export function requireProved(name: string, { wrong, wrongCount, checked }: CheckedProofs): void {
  if (wrongCount === 0) return;
  const unnamed = wrongCount - wrong.length;
  throw new VipError(`${wrongCount} of ${count(checked, "proof")} do not lead to the root of ${name}`, {
    code: "PROOF_INVALID",
    metaMessages: [...wrong, ...(unnamed > 0 ? [`and ${unnamed} more`] : [])],
  });
}

/** Longest text of one leaf, and of everything but the leaves, in characters. A leaf of a tree of 2^64 has some 4,500. */
const maxCharacters = 65_536;

/** A part of a proof file: first its head, then each leaf. */
interface ProofPart {
  readonly kind: "head" | "leaf";
  readonly value: unknown;
}

/** Most characters of leaves that are kept until the head is known: PostgreSQL's jsonb has at most 255 MB. */
const maxKept = 268_435_456;

const headFields = ["bridgeId", "stage", "l1", "root", "total"];

/**
 * Splits the text of a proof file, so that one leaf is in memory at a time: a million leaves have over a gigabyte. The head
 * is everything before the list `leaves`, the last field: no reader may find another root or another list behind it. Where fields
 * follow, as in a file that was in PostgreSQL's jsonb, which sorts keys (hasura 5854), the leaves wait for them.
 */
async function* partsOf(chunks: AsyncIterable<string>, name: string): AsyncGenerator<ProofPart, void, undefined> {
  let leaves: "before" | "inside" | "after" = "before";
  const scanner = new JsonScanner({
    isSplit: (depth, before) => depth === 1 && leaves === "before" && /"leaves"\s*:\s*$/.test(before),
    longest: maxCharacters,
  });
  /** The text outside the leaves. */
  let frame = "";
  let number = 0;
  let isWhole = false;
  const kept: ProofPart[] = [];
  let keptCharacters = 0;
  for await (const chunk of chunks) {
    for (const { kind, text: part } of scanner.scan(chunk)) {
      if (part === undefined || (kind === "element" && !part.startsWith("{"))) throw notProofs(name);
      if (kind === "element") {
        number += 1;
        const leaf = { kind: "leaf", value: parsePart(part, name, `leaf ${number} of ${name}`) } as const;
        if (isWhole) yield leaf;
        else if ((keptCharacters += part.length) <= maxKept) kept.push(leaf);
        else throw refuseProof(name, `has too many leaves before ${headFields.join(", ")}: put these first`);
      } else frame += part;
      if (kind === "open") {
        leaves = "inside";
        const head = parseHead(`${frame}]}`, name);
        if (Object.keys(head).at(-1) !== "leaves") throw notProofs(name);
        isWhole = headFields.every((key) => key in head);
        if (isWhole) yield { kind: "head", value: head };
      } else if (kind === "close") leaves = "after";
    }
    if (scanner.rest !== undefined && scanner.rest.text === undefined) throw notProofs(name);
  }
  const rest = scanner.rest?.text?.trimEnd() ?? "";
  if (leaves !== "after" || rest === "") throw notProofs(name, { isCut: true });
  if (isWhole && rest !== "}") throw new InputError(`${name} continues after its list of leaves`);
  if (isWhole) return;
  const head = parseHead(`${frame}${rest}`, name);
  // A key may only end like the list's.
  if (Object.keys(head).some((key) => key !== "leaves" && !headFields.includes(key))) throw notProofs(name);
  yield { kind: "head", value: head };
  yield* kept;
}

function parseHead(json: string, name: string): object {
  const head = parsePart(json, name, name);
  if (typeof head === "object" && head !== null) return head;
  throw notProofs(name);
}

function parsePart(json: string, name: string, place: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw notProofs(name);
  }
  const repeated = findRepeatedKey(json);
  if (repeated === undefined) return value;
  throw refuseProof(place, `has the key ${quoteText(repeated)} twice in one object`);
}

function notProofs(name: string, { isCut = false } = {}): InputError {
  const hint = isCut
    ? "It may have been cut off."
    : ({ code: "write-proofs", text: "Write one from a snapshot." } as const);
  return new InputError(`${name} is not a proof file`, { metaMessages: [hint] });
}

function refuseProof(place: string, problem: string): InputError {
  return new InputError(`${place} ${problem}`);
}
