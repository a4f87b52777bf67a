import type { Command } from "commander";
import { listLastStages, type ScoreContract } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import { readVipProposals, type VipOptions, type VipProposal, type VipStage } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connectThrough, openRollup } from "../../contract/connect.ts";
import { findL1Stage, l1StageText } from "../../l1/openL1.ts";
import {
  bridgeIdOption,
  rollupRestUrlOption,
  withConnectionOptions,
  withKeyOption,
  withL1Options,
} from "../../options.ts";
import { Output } from "../../output/output.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { findingLines } from "../../output/table.ts";
import { readSettings, vipOptions, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { checkBalance, checkContract, checkSigner, checkTotals, checkVersions } from "./contractChecks.ts";
import { Findings, ok, skipped, type Finding } from "./findings.ts";
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

export function addDoctor(command: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(command)))
    .addOption(bridgeIdOption("asks the rollup"))
    .addOption(rollupRestUrlOption())
    .option("--quiet", "print only what requires action, and nothing if nothing does: for cron")
    .addHelpText("after", "\nExamples:\n  $ vipscore doctor\n  $ vipscore doctor --quiet")
    .action((flags: DoctorFlags) => runDoctor(context, flags));
}

interface DoctorFlags extends ConnectionFlags {
  readonly bridgeId?: bigint;
  readonly quiet?: true;
}

const stagesExamined = 5;

async function runDoctor(given: Context, flags: DoctorFlags): Promise<void> {
  const context = flags.quiet === true ? withoutNotes(given) : given;
  const { output, signal } = context;
  const settings = await readSettings(context, flags);
  const rollup = await openRollup(context, settings, flags, "optional");
  const report = new Findings(signal);
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
  if (contract !== undefined) {
    const l1 = await findOnL1(report, context, settings, current, flags);
    await examine(report, contract, l1, signal);
  }
  const found = report.inOrder;
  const object = { command: "doctor", contract: contract?.identity, checks: found };
  const actions = found.filter(({ state }) => state === "action");
  const shown = flags.quiet === true ? actions : found;
  if (shown.length > 0) output.print(findingLines(output, shown).join("\n"));
  if (actions.length === 0) return output.json(object);
  throw new RefusedReport(`${actions.length} of ${count(found.length, "check")} require action`, {
    code: "ACTION_REQUIRED",
    report: object,
  });
}

function withoutNotes(context: Context): Context {
  const { io, output, scrubber } = context;
  const silent = { ...io, stderr: { write: () => undefined } };
  return { ...context, output: new Output(silent, { json: output.isJson, scrubber }) };
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
  { bridgeId }: DoctorFlags,
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
): Promise<void> {
  const read = await report.read("contract", async () => {
    const at = { height: await contract.getHeight({ signal }), signal };
    const initStage = await contract.getInitStage(at);
    return {
      at,
      initStage,
      stages: await listLastStages(contract, { ...at, first: initStage, limit: stagesExamined }),
    };
  });
  if (read === undefined) return;
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
  await report.add("signer", () => checkSigner(contract, at));
  await report.add("balance", () => checkBalance(contract, stages, at));
  if (l1 === undefined || registration === undefined) return;
  await report.add("proposals", () => checkProposals(proposals ?? []));
  await report.add("snapshot", () => checkSnapshot(contract, stages, { ...l1, registration, initStage }, at));
  if (registered !== undefined) await report.add("rewards", () => checkRewards(l1.options, l1.current, registered));
  await report.add("claims", () => checkClaims(l1.options, registration));
}
