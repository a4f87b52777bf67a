import { lstat } from "node:fs/promises";
import { join } from "node:path";
import {
  InputError,
  readScores,
  ScoreTable,
  VipError,
  type Account,
  type ErrorCode,
  type Score,
  type ScoreRow,
  type SignalOptions,
} from "@vipscore/core";
import type { FileDigest, ManifestFile, ManifestPolicy, ManifestScores, ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import { undefinedIf } from "@vipscore/core/wire";
import type { PolicyChain } from "../chain/policyChain.ts";
import { digestFile, findPolicyFile, findPolicyFolder, isMissingFile } from "../files/policyFile.ts";
import { readPolicy } from "../files/readPolicy.ts";
import type { Policy } from "../policy.ts";
import { runPolicy, type PolicyResult } from "../run/runPolicy.ts";
import type { RunPolicyOptions } from "../run/startQuery.ts";
import { collectSources, describeSources } from "../sources/openSources.ts";
import type { CollectOptions, PolicySource } from "../sources/policySource.ts";
import type { AuditLog } from "./auditLog.ts";
import { auditRollup, auditSources, auditWindow } from "./auditSources.ts";

/** Options of {@link auditEvidence}. */
export interface AuditEvidenceOptions extends RunPolicyOptions {
  /** The policy's folder. */
  readonly policy: string;
  /** The folder of the manifest, which names the score file beside it. */
  readonly beside: string;
  /** A file of scores that were computed elsewhere: they are compared instead of running the policy. */
  readonly scores: string | undefined;
  /** Why a policy that is not the manifest's is not run: its query is a stranger's. Undefined to run it. */
  readonly refuseOther: string | undefined;
  /** Opens the sources of the policy. Called only if they are read. */
  readonly openSources: (policy: Policy) => Promise<OpenedSources>;
  /** Called before work that takes long: `running the policy …`. */
  readonly onStart: (work: string) => void;
  readonly signal: AbortSignal;
}

/** The opened sources of a policy. */
export interface OpenedSources {
  /** The policy, with the window that is counted. */
  readonly policy: Policy;
  readonly sources: readonly PolicySource[];
  /** Undefined if no source reads the rollup. */
  readonly chain: PolicyChain | undefined;
  /** Folder for what is collected besides the chain's own folder, with scores that were computed elsewhere. */
  readonly temporary: string;
}

/** Scores to compare with a manifest. What is undefined is not known of scores that were computed elsewhere. */
export interface AuditedScores extends Pick<PolicyResult, "table" | "sources"> {
  readonly excluded: PolicyResult["excluded"] | undefined;
  readonly duckdb: string | undefined;
  /** The accounts whose score in the file beside the manifest is not the recomputed one. */
  readonly accounts: readonly AccountDifference[];
}

/** An account whose score in the file is not the recomputed one. Without a row, the score is 0. */
export interface AccountDifference {
  readonly account: Account;
  readonly recorded: Score;
  readonly recomputed: Score;
}

/**
 * Compares a policy and the file of its scores with a manifest, collects the sources again, runs the policy, and compares all
 * that with the manifest too. Goes on after a difference.
 *
 * @returns The scores; undefined if the policy is not run, or differs from the manifest's and cannot run.
 * @throws InputError `INPUT_INVALID`, `FILE_UNREADABLE`; errors of the sources and of `runPolicy`; the signal's reason when aborted.
 */
export async function auditEvidence(
  manifest: ScoresManifest,
  log: AuditLog,
  options: AuditEvidenceOptions,
): Promise<AuditedScores | undefined> {
  const policy = await auditPolicy(manifest.policy, options.policy, log, options);
  const file = await auditFile(manifest.scores, options, log);
  const { refuseOther, scores } = options;
  if (policy?.digest !== manifest.policy.sha256 && refuseOther !== undefined && scores === undefined) {
    log.notChecked("scores", refuseOther);
    return undefined;
  }
  const result = policy && (await recompute(policy, manifest, log, options));
  if (result === undefined) return undefined;
  auditScores(manifest, result.table, result.excluded, log);
  return { ...result, accounts: file === undefined ? [] : compareAccounts(file, result.table) };
}

/** Compares the score file beside a manifest with what the manifest says about it. Returns undefined if it has no scores. */
async function auditFile(
  { file, sha256 }: ManifestScores,
  { beside, signal }: AuditEvidenceOptions,
  log: AuditLog,
): Promise<ScoreTable | undefined> {
  const path = join(beside, file);
  // A stranger's folder may have a link to a file of ours, whose text an error would quote, or a pipe without an end.
  const found = await undefinedIf(isMissingFile, lstat(path));
  if (found?.isFile() === false) {
    log.differs("file", file, `${file} is not a regular file`);
    return undefined;
  }
  let table: ScoreTable;
  try {
    table = await readScores(path, { accountBytes: [20, 32], format: "csv", signal });
  } catch (error) {
    if (!(error instanceof InputError) || error.code === "FILE_CHANGED") throw error;
    if (error.code === "FILE_UNREADABLE") log.notChecked("file", `${file} is not beside the manifest`);
    else log.differs("file", file, `${file} cannot be read: ${error.issues[0]?.message ?? error.shortMessage}`);
    return undefined;
  }
  if (table.digest() === sha256) {
    log.same("file", `${file}, ${count(table.size, "account")}, total ${group(table.total)}`);
  } else {
    log.differs("file", file, `${file} has the sha256 ${shortDigest(table.digest())}, not ${shortDigest(sha256)}`);
  }
  return table;
}

type Recomputed = Omit<AuditedScores, "accounts">;

/** Collects the policy's sources again, compares them with the manifest, and runs the policy unless scores are given. */
async function recompute(
  policy: Policy,
  manifest: ScoresManifest,
  log: AuditLog,
  options: AuditEvidenceOptions,
): Promise<Recomputed | undefined> {
  const { scores, signal, onStart } = options;
  const given = scores === undefined ? undefined : await readGiven(scores, policy, signal);
  const { rollup } = manifest;
  if (policy.chainId !== rollup.chainId) {
    log.differs(
      "chain",
      "the chain ID",
      `the manifest is for chain ${rollup.chainId}, the policy for ${policy.chainId}`,
    );
  }
  try {
    const { sources, chain, temporary, policy: counted } = await options.openSources(policy);
    auditRollup(rollup, chain, log);
    await auditWindow(manifest.window, chain, log, signal);
    onStart(given === undefined ? "running the policy …" : "reading the sources …");
    const result =
      given === undefined
        ? await runPolicy(counted, sources, options)
        : await withSources(given, sources, { folder: temporary, signal });
    auditSources(manifest.sources, result.sources, log);
    return result;
  } catch (error) {
    if (log.differences.length === 0 || !isOfPolicy(error)) throw error;
    log.differs("scores", "the scores", `cannot be computed: ${error.shortMessage}`);
    return undefined;
  }
}

/** Reads scores that were computed elsewhere, without the accounts that the policy excludes. */
async function readGiven(file: string, { excluded }: Policy, signal: AbortSignal): Promise<ScoreTable> {
  const table = await readScores(file, { accountBytes: [20, 32], signal });
  return ScoreTable.from([...table].filter(({ account }) => !excluded.has(account)));
}

/** Stored rows are not read again: the computation of the scores has read them too. */
async function withSources(
  table: ScoreTable,
  sources: readonly PolicySource[],
  options: CollectOptions,
): Promise<Recomputed> {
  const collected = await collectSources(sources, options);
  return { table, sources: describeSources(collected), excluded: undefined, duckdb: undefined };
}

/** Codes of errors that a policy can cause, rather than the auditor's settings, the network or a signal. */
const ofPolicy: ReadonlySet<ErrorCode> = new Set([
  "INPUT_INVALID",
  "POLICY_INVALID",
  "POLICY_REFUSED",
  "POLICY_LIMIT",
  "POLICY_NOT_DETERMINISTIC",
  "CHAIN_MISMATCH",
  "WINDOW_OPEN",
  "SOURCE_INVALID",
  "SOURCE_EMPTY",
] as const);

function isOfPolicy(error: unknown): error is VipError {
  return VipError.isVipError(error) && ofPolicy.has(error.code);
}

/** Returns the policy, whether or not it is the manifest's; undefined if files differ and it cannot be read. */
async function auditPolicy(
  recorded: ManifestPolicy,
  folder: string,
  log: AuditLog,
  options: SignalOptions,
): Promise<Policy | undefined> {
  let policy: Policy | undefined;
  let fault: InputError | undefined;
  try {
    policy = await readPolicy(folder, options);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    fault = error;
  }
  const differences = await compareFiles(folder, recorded.files, policy?.files, options);
  for (const difference of differences) log.differs("policy", difference.name, describeFile(difference));
  if (fault !== undefined) {
    if (differences.length === 0) throw fault;
    log.differs("policy", "the policy", `cannot be read: ${fault.shortMessage}`);
  } else if (differences.length === 0) {
    const { name, version, files, sha256 } = recorded;
    log.same("policy", `"${name}" ${version}, ${count(files.length, "file")}, sha256 ${shortDigest(sha256)}`);
  }
  return policy;
}

interface FileDifference {
  readonly name: string;
  /** Undefined if the manifest does not have the file. */
  readonly recorded: FileDigest | undefined;
  /** Undefined if the folder does not have the file, or the policy no longer names it. */
  readonly found: FileDigest | undefined;
}

/** Compares the files that a policy names, or if it cannot be read, those that the manifest recorded. Sorts by name. */
async function compareFiles(
  folder: string,
  recorded: readonly ManifestFile[],
  named: ReadonlyMap<string, FileDigest> | undefined,
  options: SignalOptions,
): Promise<readonly FileDifference[]> {
  const root = await findPolicyFolder(folder);
  const differences: FileDifference[] = [];
  for (const { name, bytes, sha256 } of recorded) {
    const found =
      named === undefined
        ? await undefinedIf((error) => error instanceof InputError, digestOf(root, name, options))
        : named.get(name);
    if (found?.bytes === bytes && found.sha256 === sha256) continue;
    differences.push({ name, recorded: { bytes, sha256 }, found });
  }
  const known = new Set(recorded.map(({ name }) => name));
  for (const [name, found] of named ?? []) if (!known.has(name)) differences.push({ name, recorded: undefined, found });
  return differences.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function digestOf(root: string, name: string, options: SignalOptions): Promise<FileDigest> {
  return digestFile(await findPolicyFile(root, name, "the manifest"), options);
}

function describeFile({ name, recorded, found }: FileDifference): string {
  if (recorded === undefined) return `${name} was added: the manifest does not have it`;
  if (found === undefined) return `${name} is missing`;
  const [then, now] = [recorded, found].map(
    ({ bytes, sha256 }) => `${group(bytes)} bytes, sha256 ${shortDigest(sha256)}`,
  );
  return `${name} changed: ${then}; now ${now}`;
}

/** Compares the recomputed scores, or those that were computed elsewhere, with the manifest's. */
function auditScores(
  { scores, excluded }: ScoresManifest,
  table: ScoreTable,
  excludedNow: readonly ScoreRow[] | undefined,
  log: AuditLog,
): void {
  const name = "the scores";
  const recomputed = `${count(table.size, "account")}, total ${group(table.total)}`;
  const recorded = `${count(scores.accounts, "account")}, total ${group(scores.total)}`;
  if (table.digest() !== scores.sha256) {
    const [then, now] = [scores.sha256, table.digest()].map(shortDigest);
    log.differs("scores", name, `the manifest has ${recorded}, sha256 ${then}; now ${recomputed}, sha256 ${now}`);
  } else if (table.size !== scores.accounts || table.total !== scores.total) {
    log.differs("scores", name, `the manifest says ${recorded}, and its scores are ${recomputed}`);
  } else log.same("scores", `${recomputed}, sha256 ${shortDigest(scores.sha256)}`);
  if (excludedNow === undefined || excludedNow.length === excluded) return;
  const now = group(excludedNow.length);
  log.differs("scores", "the exclusions", `the manifest leaves out ${count(excluded, "account")}, the policy ${now}`);
}

/** Lists every account whose score in the file is not the recomputed one, by account. */
function compareAccounts(file: ScoreTable, recomputed: ScoreTable): readonly AccountDifference[] {
  const differences: AccountDifference[] = [];
  if (file.digest() === recomputed.digest()) return differences;
  for (const account of new Set([...file.keys(), ...recomputed.keys()])) {
    const [recorded, now] = [file.get(account) ?? 0n, recomputed.get(account) ?? 0n];
    if (recorded !== now) differences.push({ account, recorded, recomputed: now });
  }
  return differences.sort((one, other) => (one.account < other.account ? -1 : 1));
}
