import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import {
  formatChecksummed,
  requireSameStage,
  verifyScores,
  VipError,
  type ScoreContract,
  type ScoreTable,
  type Verification,
} from "@vipscore/core";
import { readManifest, type ManifestChain, type ScoresManifest } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import { compareSnapshot, comparisonText } from "@vipscore/l1";
import type { AuditedScores, AuditLog, OpenedSources, Policy } from "@vipscore/policy";
import { buildSnapshot } from "@vipscore/snapshot";
import type { Context } from "../../context.ts";
import { connect, connectSecond } from "../../contract/connect.ts";
import { pathOf } from "../../contract/readTable.ts";
import { openL1 } from "../../l1/openL1.ts";
import { optionalPackage, ownVersion } from "../../optionalPackage.ts";
import { namedConfigHelp, namedConfigOnly, withPolicyOptions, withSecondEndpoint } from "../../options.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { dataFolder, openPolicySources, runOptions, type PolicyFlags } from "../score/sources.ts";
import { listedAccounts, printAccounts, printFinding } from "./report.ts";

interface AuditFlags extends PolicyFlags {
  readonly policy: string;
  readonly runAnyway?: boolean;
  readonly scores?: string;
}

export function addAudit(command: Command, context: Context): void {
  withSecondEndpoint(withPolicyOptions(command))
    .argument("<manifest>")
    .requiredOption("--policy <folder>", "the policy's folder, as its operator published it")
    .option(
      "--scores <file>",
      "compare these scores, computed elsewhere, instead of running the query: see `score data`",
    )
    .option("--run-anyway", "also run a policy that is not the manifest's: its query may be anyone's")
    .addHelpText(
      "after",
      `${namedConfigHelp}\nReads everything from the rollup again, and needs no key. Continues after a difference, so that one run shows all; only the query of another policy is not run.\n\nExample:\n  $ vipscore audit scores12.manifest.json --policy policies/season1 --endpoint https://rpc.example.org`,
    )
    .action((file: string, flags: AuditFlags) => auditManifest(context, file, namedConfigOnly(flags)));
}

async function auditManifest(context: Context, file: string, flags: AuditFlags): Promise<void> {
  const { io, output } = context;
  const { cwd, signal } = io;
  const path = pathOf(io, file);
  const manifest = await readManifest(path, file, { signal });
  const { stage, scores } = manifest;
  const { auditEvidence, AuditLog } = await optionalPackage("@vipscore/policy");
  const log = new AuditLog((finding) => printFinding(output, finding));
  await auditSignature(manifest, log);
  const result = await auditEvidence(manifest, log, {
    ...runOptions(io, flags),
    policy: resolve(cwd, flags.policy),
    beside: dirname(path),
    scores: flags.scores === undefined ? undefined : pathOf(io, flags.scores),
    refuseOther: flags.runAnyway === true ? undefined : "another policy is not run; --run-anyway runs it",
    openSources: (policy) => openSources(context, policy, manifest, flags, log),
    onStart: (work) => output.showTransient(work),
    signal,
  });
  const accounts = result?.accounts ?? [];
  if (result !== undefined) {
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

/** Compares the address that a manifest's signature gives with the one that the manifest names. */
async function auditSignature(manifest: ScoresManifest, log: AuditLog): Promise<void> {
  const { signature } = manifest;
  if (signature === undefined) return log.notChecked("signature", "the manifest has none");
  const { recoverSigner } = await optionalPackage("@vipscore/policy");
  const { signer, eip191 } = signature;
  const found = await recoverSigner(manifest, eip191);
  if (found?.toLowerCase() === signer.toLowerCase()) log.same("signature", `by ${found}: is that the operator?`);
  else log.differs("signature", "the signature", `is not one of ${signer} over this manifest`);
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

/** The folder of everything that this command stores, relative to the current one. */
const ownFolder = ".vipscore";

/** Creates a folder, relative to the current one, for what is read from the rollup; it is removed when the command ends. */
async function temporaryData({ io, atEnd }: Context): Promise<string> {
  const parent = join(io.cwd, ownFolder);
  const created = await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "audit-"));
  atEnd(async () => {
    await rm(folder, { recursive: true, force: true });
    // Only if nothing else was stored in it meanwhile.
    if (created !== undefined) await rmdir(parent).catch(() => undefined);
  });
  return relative(io.cwd, folder);
}

function auditVersions({ versions }: ScoresManifest, { duckdb }: AuditedScores, log: AuditLog): void {
  if (duckdb === undefined) return log.notChecked("versions", "the scores were computed elsewhere");
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
  if (chain === undefined) return log.notChecked("contract", "the manifest has none: vipscore push --manifest adds it");
  if (result === undefined) return log.notChecked("contract", "without scores there is nothing to compare it with");
  const settings = await readSettings(context, flags);
  const pushed = { ...manifest, chain };
  await auditContract(context, settings, flags, pushed, result.table, log);
  await auditRoot(context, settings, pushed, result.table, log);
}

/** Codes that say that the contract or its stage is not there, which differs from what the manifest says. */
const absent: ReadonlySet<string> = new Set(["CONTRACT_NOT_FOUND", "STAGE_NOT_FOUND"]);

/** Compares the contract's scores with the recomputed ones, and whether the stage is finalized with the manifest. */
async function auditContract(
  context: Context,
  settings: Settings,
  flags: ConnectionFlags,
  manifest: ScoresManifest & { readonly chain: ManifestChain },
  table: ScoreTable,
  log: AuditLog,
): Promise<void> {
  const { stage, chain } = manifest;
  const { address, chainId } = chain.contract;
  if (chain.contract.vm !== settings.vm || chainId !== manifest.rollup.chainId) {
    const place = `${chainId}, ${chain.contract.vm}`;
    log.differs("contract", "the contract", `the manifest names a contract on ${place}, which is not the rollup`);
    return;
  }
  const named = { value: address, source: "the manifest" };
  const wanted = { ...settings, contract: named, chainId: { value: chainId, source: "the manifest" } };
  let contract: ScoreContract;
  let verification: Verification;
  try {
    contract = await connect(context, wanted, flags, "none");
    verification = await verifyScores(contract, stage, table, { signal: context.io.signal });
  } catch (error) {
    if (!(error instanceof VipError) || !absent.has(error.code)) throw error;
    log.differs("contract", "the contract", error.shortMessage);
    return;
  }
  const { agrees, accounts, total, differences, isFinalized, height } = verification;
  if (agrees) {
    const held = `${count(accounts, "account")}, total ${group(total.contract)}`;
    log.same("contract", `${address} holds stage ${stage}: ${held} (height ${group(height)})`);
  } else {
    log.differs("contract", "the contract", `${address} holds other scores: ${differencesText(verification)}`);
    for (const { account, expected = 0n, actual = 0n } of differences.slice(0, listedAccounts)) {
      const scores = `${group(actual)} on the chain, recomputed ${group(expected)}`;
      context.output.print(`  ${formatChecksummed(account)}  ${scores}`);
    }
  }
  const second = agrees ? await connectSecond(context, settings, contract) : undefined;
  if (second !== undefined) await auditSecond(context, second, verification, table, log);
  const state = isFinalized ? `stage ${stage} is finalized` : `stage ${stage} is open: its scores can still change`;
  if (isFinalized) log.same("finalized", state);
  else if (chain.finalization === undefined) log.warn("finalized", state);
  else
    log.differs("finalized", "the finalization", `the manifest says that stage ${stage} is finalized, and it is open`);
}

async function auditSecond(
  { io }: Context,
  second: ScoreContract,
  verification: Verification,
  table: ScoreTable,
  log: AuditLog,
): Promise<void> {
  try {
    await requireSameStage(second, verification, table, { signal: io.signal });
    log.same("second", `the second endpoint shows the same scores at height ${group(verification.height)}`);
  } catch (error) {
    if (!(error instanceof VipError) || error.code !== "ENDPOINTS_DIFFER") throw error;
    log.differs("second", "the second endpoint", error.metaMessages.join("; "));
  }
}

function differencesText({ differences, total }: Verification): string {
  if (differences.length > 0)
    return `${count(differences.length, "account")} differ${differences.length === 1 ? "s" : ""}`;
  return `its total is ${group(total.contract)}, and they add up to ${group(total.rows)}`;
}

/** Compares the root of the recomputed scores with the manifest's, and with L1's if L1 is known. */
async function auditRoot(
  context: Context,
  { l1 }: Settings,
  { stage, chain }: ScoresManifest & { readonly chain: ManifestChain },
  table: ScoreTable,
  log: AuditLog,
): Promise<void> {
  const { snapshot } = chain;
  if (snapshot === undefined)
    return log.notChecked("root", "the manifest has none: vipscore snapshot --manifest adds it");
  const { bridgeId } = snapshot;
  const { root } = buildSnapshot({ bridgeId, stage, rows: table, total: table.total });
  if ((root ?? null) === snapshot.root) log.same("root", `${root ?? "none"}, bridge ${bridgeId}`);
  else {
    const then = snapshot.root ?? "no root";
    log.differs("root", "the root", `the manifest has ${then}, the scores give ${root ?? "none"}`);
  }
  if (l1 === undefined) return log.notChecked("L1", "set --l1-rest-url or L1_REST_URL to compare L1's snapshot");
  const found = await openL1(context, l1, { bridgeId, contract: chain.contract, stage });
  const comparison = await compareSnapshot(found, { stage, root, total: table.total });
  const text = `the snapshot of stage ${stage} ${comparisonText(comparison, { stage })}`;
  if (comparison.status === "matches") log.same("L1", text);
  else if (comparison.status === "differs") log.differs("L1", "L1's snapshot", text);
  else log.notChecked("L1", text);
}
