import { listLastStages, type PinnedOptions, type ScoreContract, type StageInfo } from "@vipscore/core";
import { readVipProposals, type VipOptions, type VipProposal, type VipStage } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connectThrough, openRollup } from "../../contract/connect.ts";
import { findL1Stage, l1StageText } from "../../l1/openL1.ts";
import { vipOptions, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { checkBalance, checkContract, checkSigner, checkTotals, checkVersions } from "./contractChecks.ts";
import { ok, skipped, type Finding, type Findings } from "./findings.ts";
import { checkClaims, checkProposals, checkRewards, checkSnapshot } from "./l1Checks.ts";
import {
  checkFirstStage,
  checkOpenStage,
  checkRegistration,
  findRollupBridge,
  readRegistration,
  registeredVersion,
  type Registration,
} from "./registrationChecks.ts";

export interface ExamineFlags extends ConnectionFlags {
  readonly bridgeId?: bigint;
}

/** What was read of the rollup; undefined where it could not be read. */
export interface Examined {
  readonly contract: ScoreContract | undefined;
  readonly current: VipStage | undefined;
  /** The contract's newest stages, and the height of every read. */
  readonly read: { readonly at: PinnedOptions; readonly stages: readonly StageInfo[] } | undefined;
}

const stagesExamined = 5;

/** Adds all findings about the rollup, the contract and L1. */
export async function examineRollup(
  context: Context,
  settings: Settings,
  flags: ExamineFlags,
  report: Findings,
  { need = "optional" }: { readonly need?: "optional" | "none" } = {},
): Promise<Examined> {
  const keyed =
    need === "none" ? undefined : await report.read("signer", () => openRollup(context, settings, flags, need));
  const rollup = keyed ?? (await openRollup(context, settings, flags, "none"));
  const current = await report.read("l1", () => findL1Stage(context, settings));
  await report.add("rollup", async () => {
    const { vm, endpoint } = settings;
    return ok(`chain ${await rollup.readChainId()} (${vm}) answers at the endpoint of ${endpoint.source}`);
  });
  if (settings.secondEndpoint === undefined && settings.localNode === undefined)
    await report.add("second-endpoint", noSecondEndpoint);
  await report.add("versions", () => checkVersions(context, settings));
  const firstStage = current && current.stage + 1n;
  const contract = await report.read("contract", () => connectThrough(context, settings, rollup, firstStage));
  await report.add("l1", () => l1Findings(current, settings));
  if (contract === undefined) return { contract, current, read: undefined };
  const l1 = await findOnL1(report, context, settings, current, flags);
  return { contract, current, read: await examine(report, contract, l1, context.signal) };
}

function noSecondEndpoint(): Finding {
  const fix =
    "Set another node with VIPSCORE_SECOND_ENDPOINT or secondEndpoint: finalize then compares what both show.";
  return skipped("no second endpoint is set: one node alone can invent a consistent stage", fix);
}

function l1Findings(l1: VipStage | undefined, settings: Settings): readonly Finding[] {
  if (l1 !== undefined) return [ok(`chain ${l1.chainId}, ${l1StageText(l1)}`)];
  if (settings.l1 !== undefined) return [];
  const fix = "Set its REST endpoint with --l1-rest-url, L1_REST_URL or l1RestUrl in vipscore.config.json.";
  return [skipped("no L1 endpoint is set", fix)];
}

interface L1 {
  readonly current: VipStage;
  /** Every read is at the block of {@link current}. */
  readonly options: VipOptions;
  /** Undefined while the rollup's bridge is not known. */
  readonly registration: Registration | undefined;
}

async function findOnL1(
  report: Findings,
  context: Context,
  settings: Settings,
  current: VipStage | undefined,
  { bridgeId }: ExamineFlags,
): Promise<L1 | undefined> {
  if (current === undefined || settings.l1 === undefined) return undefined;
  const options = { ...vipOptions(settings.l1, context.io.signal), block: current };
  const bridge = await report.read("registration", () => findRollupBridge(context, settings, current, bridgeId));
  if (typeof bridge === "object") await report.add("registration", () => bridge);
  const registration =
    typeof bridge === "bigint" ? await report.read("registration", () => readRegistration(options, bridge)) : undefined;
  return { current, options, registration };
}

function readProposals({ options, current }: L1, { bridgeId }: Registration): Promise<readonly VipProposal[]> {
  return readVipProposals({ ...options, vip: current.vip, bridgeId });
}

/** Adds what depends on the contract, all read at one height. */
async function examine(
  report: Findings,
  contract: ScoreContract,
  l1: L1 | undefined,
  signal: AbortSignal,
): Promise<Examined["read"]> {
  const read = await report.read("contract", async () => {
    const at = { height: await contract.getHeight({ signal }), signal };
    const initStage = await contract.getInitStage(at);
    return {
      at,
      initStage,
      stages: await listLastStages(contract, { ...at, first: initStage, limit: stagesExamined }),
    };
  });
  if (read === undefined) return undefined;
  const { at, initStage, stages } = read;
  const { identity } = contract;
  const current = l1?.current;
  const registration = l1?.registration;
  const registered = registeredVersion(registration);
  await report.add("contract", () => checkContract(contract, at, initStage));
  await report.add("first-stage", () => checkFirstStage(initStage, current, registration));
  const proposals = l1 && registration && (await report.read("proposals", () => readProposals(l1, registration)));
  if (registration !== undefined)
    await report.add("registration", () => checkRegistration(registration, identity, proposals ?? []));
  const open = stages.find(({ isFinalized }) => !isFinalized);
  await report.add("open-stage", () => checkOpenStage(open, identity, current, registration));
  await report.add("totals", () => checkTotals(stages));
  // A signer that could not be opened is a finding already.
  if (!report.inOrder.some(({ check }) => check === "signer")) {
    await report.add("signer", () => checkSigner(contract, at));
    await report.add("balance", () => checkBalance(contract, stages, at));
  }
  if (l1 === undefined || registration === undefined) return read;
  await report.add("proposals", () => checkProposals(proposals ?? []));
  await report.add("snapshot", () => checkSnapshot(contract, stages, { ...l1, registration, initStage }, at));
  if (registered !== undefined) await report.add("rewards", () => checkRewards(l1.options, l1.current, registered));
  await report.add("claims", () => checkClaims(l1.options, registration));
  return read;
}
