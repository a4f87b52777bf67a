import {
  CheckError,
  formatChecksummed,
  requireSameStage,
  verifyScores,
  type ScoreContract,
  type ScoreTable,
  type Verification,
} from "@vipscore/core";
import type { ManifestChain, ScoresManifest } from "@vipscore/core/manifest";
import { count, group } from "@vipscore/core/values";
import type { AuditLog } from "@vipscore/policy";
import { buildSnapshot } from "@vipscore/snapshot";
import type { Context } from "../../context.ts";
import { connect, connectSecond } from "../../contract/connect.ts";
import { compareSnapshot, comparisonText, openL1 } from "../../l1/compareSnapshot.ts";
import type { ConnectionFlags, Settings } from "../../settings/readSettings.ts";
import { listedAccounts } from "./report.ts";

/** Codes that say that the contract or its stage is not there, which differs from what the manifest says. */
const absent: ReadonlySet<string> = new Set(["CONTRACT_NOT_FOUND", "STAGE_NOT_FOUND"]);

/**
 * Compares the contract's scores of the stage with the recomputed ones, and whether the stage is finalized with the manifest.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function auditContract(
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
    if (!(error instanceof CheckError) || !absent.has(error.code)) throw error;
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

/** Compares the contract's scores with those that the second endpoint shows at the same height. */
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
    if (!(error instanceof CheckError) || error.code !== "ENDPOINTS_DIFFER") throw error;
    log.differs("second", "the second endpoint", error.metaMessages.join("; "));
  }
}

function differencesText({ differences, total }: Verification): string {
  if (differences.length > 0)
    return `${count(differences.length, "account")} differ${differences.length === 1 ? "s" : ""}`;
  return `its total is ${group(total.contract)}, and they add up to ${group(total.rows)}`;
}

/**
 * Compares the root of the recomputed scores with the manifest's, and with L1's if L1 is known.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function auditRoot(
  context: Context,
  { l1 }: Settings,
  { stage, chain }: ScoresManifest & { readonly chain: ManifestChain },
  table: ScoreTable,
  log: AuditLog,
): Promise<void> {
  const { snapshot } = chain;
  if (snapshot === undefined) {
    log.notChecked("root", "the manifest has none: vipscore snapshot --manifest adds it");
    return;
  }
  const { bridgeId } = snapshot;
  const { root } = buildSnapshot({ bridgeId, stage, rows: table, total: table.total });
  if ((root ?? null) === snapshot.root) log.same("root", `${root ?? "none"}, bridge ${bridgeId}`);
  else {
    const then = snapshot.root ?? "no root";
    log.differs("root", "the root", `the manifest has ${then}, the scores give ${root ?? "none"}`);
  }
  if (l1 === undefined) {
    log.notChecked("L1", "set --l1-rest-url or L1_REST_URL to compare L1's snapshot");
    return;
  }
  const found = await openL1(context, l1, { bridgeId, contract: chain.contract, stage });
  const own = { stage, root, total: table.total };
  const comparison = await compareSnapshot(found, own);
  const text = `the snapshot of stage ${stage} ${comparisonText(comparison, own)}`;
  if (comparison.status === "matches") log.same("L1", text);
  else if (comparison.status === "differs") log.differs("L1", "L1's snapshot", text);
  else log.notChecked("L1", text);
}
