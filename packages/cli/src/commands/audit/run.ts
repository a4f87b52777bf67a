import { formatChecksummed } from "@vipscore/core";
import { readManifest, type ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { pathOf } from "../../files/readTable.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { ownVersion } from "../../ownVersion.ts";
import type { PolicyFlags } from "../../score/policySources.ts";
import { readSettings } from "../../settings/readSettings.ts";
import { auditBlocks } from "./auditBlocks.ts";
import { auditContract, auditRoot } from "./auditContract.ts";
import { auditFile } from "./auditFile.ts";
import { AuditLog } from "./auditLog.ts";
import { auditPolicy } from "./auditPolicy.ts";
import { auditScores, compareAccounts, listedAccounts, printAccounts, type AccountDifference } from "./auditScores.ts";
import { recompute, type AuditedScores } from "./recompute.ts";

/** The flags of `audit`. */
export interface AuditFlags extends PolicyFlags {
  readonly policy: string;
  readonly runAnyway?: boolean;
  readonly blocks?: readonly string[];
  readonly scores?: string;
}

/** Computes the scores of a manifest again and compares them: `audit`. */
export async function auditManifest(context: Context, file: string, flags: AuditFlags): Promise<void> {
  const { output } = context;
  const manifest = await readManifest(pathOf(context.io, file), file, { signal: context.io.signal });
  const { stage, scores } = manifest;
  const log = new AuditLog(output);
  await auditSignature(manifest, log);
  const policy = await auditPolicy(context, manifest.policy, flags.policy, log);
  const table = await auditFile(context, scores, file, log);
  // A query that is not the operator's is a stranger's.
  const isRun = policy?.digest === manifest.policy.sha256 || flags.runAnyway === true || flags.scores !== undefined;
  if (!isRun) log.notChecked("scores", "another policy is not run; --run-anyway runs it");
  const result = policy === undefined || !isRun ? undefined : await recompute(context, policy, manifest, flags, log);
  let accounts: readonly AccountDifference[] = [];
  if (result !== undefined) {
    await auditBlocks(context, manifest.sources, result, flags.blocks ?? [], log);
    auditScores(manifest, result, log);
    if (table !== undefined) accounts = compareAccounts(table, result.table);
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
