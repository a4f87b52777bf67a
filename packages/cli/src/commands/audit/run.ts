import { dirname, join, resolve } from "node:path";
import { formatChecksummed } from "@vipscore/core";
import { readManifest, type ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { AuditedScores, AuditLog, OpenedSources, Policy } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { pathOf } from "../../contract/readTable.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { ownVersion } from "../../ownVersion.ts";
import { dataFolder, openPolicySources, runOptions, type PolicyFlags } from "../../score/policySources.ts";
import { readSettings } from "../../settings/readSettings.ts";
import { auditContract, auditRoot } from "./auditContract.ts";
import { listedAccounts, noteBlocks, printAccounts, printFinding } from "./report.ts";
import { temporaryData } from "./temporaryData.ts";

/** The flags of `audit`. */
export interface AuditFlags extends PolicyFlags {
  readonly policy: string;
  readonly runAnyway?: boolean;
  readonly blocks?: readonly string[];
  readonly scores?: string;
}

/** Computes the scores of a manifest again and compares them: `audit`. */
export async function auditManifest(context: Context, file: string, flags: AuditFlags): Promise<void> {
  const { io, output } = context;
  const { cwd, signal } = io;
  const path = pathOf(io, file);
  const manifest = await readManifest(path, file, { signal });
  const { stage, scores } = manifest;
  const { auditEvidence, AuditLog } = await optionalPackage("@vipscore/policy");
  const log = new AuditLog((finding) => printFinding(output, finding));
  await auditSignature(manifest, log);
  const folders = flags.blocks ?? [];
  const result = await auditEvidence(manifest, log, {
    ...runOptions(io, flags),
    policy: resolve(cwd, flags.policy),
    beside: dirname(path),
    scores: flags.scores === undefined ? undefined : pathOf(io, flags.scores),
    refuseOther: flags.runAnyway === true ? undefined : "another policy is not run; --run-anyway runs it",
    blocks: folders.map((folder) => resolve(cwd, folder)),
    openSources: (policy) => openSources(context, policy, manifest, flags, log),
    onStart: (work) => output.showTransient(work),
    signal,
  });
  const accounts = result?.accounts ?? [];
  if (result !== undefined) {
    noteBlocks(output, result, folders);
    printAccounts(output, scores.file, accounts);
    auditVersions(manifest, result, log);
  }
  await auditChain(context, manifest, result, flags, log);
  const report = {
    command: "audit",
    manifest: file,
    stage,
    reproduced: log.differences.length === 0,
    differences: log.differences,
    findings: log.findings,
    accounts: {
      differ: accounts.length,
      first: accounts.slice(0, listedAccounts).map(({ account, recorded, recomputed }) => ({
        address: formatChecksummed(account),
        file: recorded,
        recomputed,
      })),
    },
  };
  if (!report.reproduced) {
    throw new RefusedReport(`${file} is not reproduced; what differs: ${log.differences.join(", ")}`, {
      code: "AUDIT_DIFFERS",
      report,
    });
  }
  output.print(
    `${output.paint("green", "reproduced")} stage ${stage}: ${count(scores.accounts, "account")}, total ${group(scores.total)}, sha256 ${shortDigest(scores.sha256)}`,
  );
  output.json(report);
}

/** Opens the sources of the policy, so that nothing is read that an earlier run has stored, unless scores are given. */
async function openSources(
  context: Context,
  policy: Policy,
  manifest: ScoresManifest,
  flags: AuditFlags,
  log: AuditLog,
): Promise<OpenedSources> {
  const { isOfChain } = await optionalPackage("@vipscore/policy");
  const readsChain = policy.sources.some(isOfChain);
  const hasScores = flags.scores !== undefined;
  const counted = readsChain ? await withWindow(context, policy, manifest, flags, log) : policy;
  const temporary = readsChain || hasScores ? await temporaryData(context) : "";
  const { sources, chain } = await openPolicySources(context, counted, {
    stage: manifest.stage,
    folder: hasScores ? dataFolder : temporary,
    flags,
  });
  return { policy: counted, sources, chain, temporary: join(context.io.cwd, temporary) };
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

function auditVersions({ versions }: ScoresManifest, { duckdb }: AuditedScores, log: AuditLog): void {
  if (duckdb === undefined) {
    log.notChecked("versions", "the scores were computed elsewhere");
    return;
  }
  const vipscore = ownVersion();
  const now = `vipscore ${vipscore}, DuckDB ${duckdb}`;
  if (versions.duckdb === duckdb && versions.vipscore === vipscore) log.same("versions", now);
  else log.warn("versions", `were vipscore ${versions.vipscore}, DuckDB ${versions.duckdb}; now ${now}`);
}

async function auditChain(
  context: Context,
  manifest: ScoresManifest,
  result: AuditedScores | undefined,
  flags: AuditFlags,
  log: AuditLog,
): Promise<void> {
  const { chain } = manifest;
  if (chain === undefined) {
    log.notChecked("contract", "the manifest has none: vipscore push --manifest adds it");
    return;
  }
  if (result === undefined) {
    log.notChecked("contract", "without scores there is nothing to compare it with");
    return;
  }
  const settings = await readSettings(context, flags);
  const pushed = { ...manifest, chain };
  await auditContract(context, settings, flags, pushed, result.table, log);
  await auditRoot(context, settings, pushed, result.table, log);
}

/** Compares the address that a manifest's signature gives with the one that the manifest names. */
async function auditSignature(manifest: ScoresManifest, log: AuditLog): Promise<void> {
  const { signature } = manifest;
  if (signature === undefined) {
    log.notChecked("signature", "the manifest has none");
    return;
  }
  const { recoverSigner } = await optionalPackage("@vipscore/policy");
  const { signer, eip191 } = signature;
  const found = await recoverSigner(manifest, eip191);
  if (found?.toLowerCase() === signer.toLowerCase()) log.same("signature", `by ${found}: is that the operator?`);
  else log.differs("signature", "the signature", `is not one of ${signer} over this manifest`);
}
