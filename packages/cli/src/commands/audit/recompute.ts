import { join } from "node:path";
import { readScores, ScoreTable, VipError, type ErrorCode } from "@vipscore/core";
import type { ScoresManifest } from "@vipscore/core/manifest";
import type { Policy, PolicyResult, PolicySource } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { pathOf } from "../../files/readTable.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { dataFolder, openPolicySources, runOptions, type PolicyFlags } from "../../score/policySources.ts";
import { readSettings } from "../../settings/readSettings.ts";
import type { AuditLog } from "./auditLog.ts";
import { auditChainId, auditRollup, auditSources, auditWindow } from "./auditSources.ts";
import { temporaryData } from "./temporaryData.ts";

/** Scores to compare with a manifest. What is undefined is not known of scores that were computed elsewhere. */
export interface AuditedScores extends Pick<PolicyResult, "table" | "sources" | "blocks"> {
  readonly excluded: PolicyResult["excluded"] | undefined;
  readonly duckdb: string | undefined;
}

/**
 * Collects the policy's sources from the rollup again, compares them with the manifest, and runs the policy. With scores that were
 * computed elsewhere, the policy is not run, and stored rows are not read again: that computation has read them too.
 *
 * @returns The result; undefined if the policy differs from the manifest's and cannot run.
 * @throws InputError `INPUT_INVALID`, `FILE_UNREADABLE` for the scores; errors of the sources and of `runPolicy`.
 */
export async function recompute(
  context: Context,
  policy: Policy,
  manifest: ScoresManifest,
  flags: PolicyFlags & { readonly scores?: string },
  log: AuditLog,
): Promise<AuditedScores | undefined> {
  const { io, output } = context;
  const { isOfChain, runPolicy } = await optionalPackage("@vipscore/policy");
  const given = flags.scores === undefined ? undefined : await readGiven(context, flags.scores, policy);
  const readsChain = policy.sources.some(isOfChain);
  const { stage } = manifest;
  auditChainId(manifest.rollup, policy, log);
  try {
    const counted = readsChain ? await withWindow(context, policy, manifest, flags, log) : policy;
    const temporary = readsChain || given !== undefined ? await temporaryData(context) : "";
    const folder = given === undefined ? temporary : dataFolder;
    const { sources, chain } = await openPolicySources(context, counted, { stage, folder, flags });
    auditRollup(manifest.rollup, chain, log);
    await auditWindow(context, manifest.window, chain, log);
    output.showTransient(given === undefined ? "running the policy …" : "reading the sources …");
    const result =
      given === undefined
        ? await runPolicy(counted, sources, runOptions(io, flags))
        : await withSources(context, given, sources, join(io.cwd, temporary));
    auditSources(manifest.sources, result.sources, log);
    return result;
  } catch (error) {
    if (log.differences.length === 0 || !isOfPolicy(error)) throw error;
    log.differs("scores", "the scores", `cannot be computed: ${error.shortMessage}`);
    return undefined;
  }
}

/** Reads scores that were computed elsewhere, without the accounts that the policy excludes. */
async function readGiven({ io }: Context, file: string, { excluded }: Policy): Promise<ScoreTable> {
  const table = await readScores(pathOf(io, file), { accountBytes: [20, 32], signal: io.signal });
  return ScoreTable.from([...table].filter(({ account }) => !excluded.has(account)));
}

async function withSources(
  { io }: Context,
  table: ScoreTable,
  sources: readonly PolicySource[],
  folder: string,
): Promise<AuditedScores> {
  const { collectSources, describeSources } = await optionalPackage("@vipscore/policy");
  const collected = await collectSources(sources, { folder, signal: io.signal });
  return { table, ...describeSources(collected), excluded: undefined, duckdb: undefined };
}

/** A window of L1 needs L1; without it, the policy is run over the manifest's blocks. */
async function withWindow(
  context: Context,
  policy: Policy,
  { window }: ScoresManifest,
  flags: PolicyFlags,
  log: AuditLog,
): Promise<Policy> {
  if (policy.window !== undefined || window === undefined) return policy;
  if ((await readSettings(context, flags)).l1 !== undefined) return policy;
  log.notChecked("window", "whether it is that of the stage on L1: set --l1-rest-url or L1_REST_URL");
  return { ...policy, window: { blocks: { first: window.first.height, last: window.last.height } } };
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
] as const);

function isOfPolicy(error: unknown): error is VipError {
  return VipError.isVipError(error) && ofPolicy.has(error.code);
}
