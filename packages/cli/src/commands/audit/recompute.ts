import { VipError, type ErrorCode } from "@vipscore/core";
import type { ScoresManifest } from "@vipscore/core/manifest";
import type { Policy, PolicyResult } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { openPolicySources, runOptions, type PolicyFlags } from "../../score/policySources.ts";
import { readSettings } from "../../settings/readSettings.ts";
import type { AuditLog } from "./auditLog.ts";
import { auditChainId, auditRollup, auditSources, auditWindow } from "./auditSources.ts";
import { temporaryData } from "./temporaryData.ts";

/**
 * Collects the policy's sources from the rollup again, compares them with the manifest, and runs the policy.
 *
 * @returns The result; undefined if the policy differs from the manifest's and cannot run.
 * @throws Errors of the sources and of `runPolicy`.
 */
export async function recompute(
  context: Context,
  policy: Policy,
  manifest: ScoresManifest,
  flags: PolicyFlags,
  log: AuditLog,
): Promise<PolicyResult | undefined> {
  const { io, output } = context;
  const { isOfChain, runPolicy } = await optionalPackage("@vipscore/policy");
  const readsChain = policy.sources.some(isOfChain);
  const { stage } = manifest;
  auditChainId(manifest.rollup, policy, log);
  try {
    const counted = readsChain ? await withWindow(context, policy, manifest, flags, log) : policy;
    const folder = readsChain ? await temporaryData(context) : "";
    const { sources, chain } = await openPolicySources(context, counted, { stage, folder, flags });
    auditRollup(manifest.rollup, chain, log);
    await auditWindow(context, manifest.window, chain, log);
    output.showTransient("running the policy …");
    const result = await runPolicy(counted, sources, runOptions(io, flags));
    auditSources(manifest.sources, result.sources, log);
    return result;
  } catch (error) {
    if (log.differences.length === 0 || !isOfPolicy(error)) throw error;
    log.differs("scores", "the scores", `cannot be computed: ${error.shortMessage}`);
    return undefined;
  }
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
