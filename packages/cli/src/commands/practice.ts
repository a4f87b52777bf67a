import type { Command } from "commander";
import { InputError, readJsonFile, readStage, stage as toStage } from "@vipscore/core";
import { fields, type ReadField } from "@vipscore/core/field";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { testAccounts } from "@vipscore/core/testAccounts";
import { group } from "@vipscore/core/values";
import {
  bcsBytes,
  bcsRatio,
  bcsU64,
  openLocalL1,
  readSnapshotStages,
  readVipBridges,
  readVipStage,
  requireRegistered,
  type LocalL1,
} from "@vipscore/l1";
import type { Context } from "../context.ts";
import { connect } from "../contract/connect.ts";
import { pathOf } from "../contract/readTable.ts";
import { readRollupBridge, snapshotOf } from "../l1/openL1.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { withConnectionOptions, withOutputOptions } from "../options.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

export function addPractice(practice: Command, context: Context): void {
  withOutputOptions(practice.command("stage"))
    .description("end L1's stage, whatever the time is, as VIP's agent does when it is over")
    .addHelpText("after", "\nExample:\n  $ vipscore practice stage")
    .action(() => endStage(context));
  withConnectionOptions(practice.command("snapshot"))
    .description("submit the snapshots of the finalized stages that L1 waits for, as VIP's agent does")
    .addHelpText("after", "\nExample:\n  $ vipscore practice snapshot")
    .action((flags: ConnectionFlags) => submitSnapshots(context, flags));
  withOutputOptions(practice.command("period"))
    .description("end the challenge periods, so that L1 takes claims")
    .addHelpText("after", "\nExample:\n  $ vipscore practice period")
    .action(() => endPeriods(context));
  withOutputOptions(practice.command("send <file>"))
    .description("send a signed transaction to L1, as `initiad tx broadcast` does")
    .addHelpText("after", "\nExample:\n  $ vipscore practice send register.json")
    .action((file: string) => sendFile(context, file));
}

const u64 = (value: bigint): Buffer => bcsU64.encode(value);

/** The ratio 1, in the units of {@link bcsRatio}. */
const whole = 10n ** 18n;

/**
 * Opens the L1 that runs for the current folder, with the public test account that is its agent. No setting names another one,
 * so that nothing is ever sent to a real chain.
 */
async function openPracticeL1({ io: { cwd, signal } }: Context): Promise<LocalL1> {
  const l1 = (await readNodeFile(cwd))?.l1;
  if (l1 === undefined) {
    throw new InputError("no local L1 runs for this folder", {
      code: "CONFIG_INVALID",
      metaMessages: ["Start it in another terminal of this folder: vipscore node --l1"],
    });
  }
  const { restUrl, vipAddress } = l1;
  const { moveAccount, signMessage } = await optionalPackage("@vipscore/move");
  const account = moveAccount({ privateKey: testAccounts.operator.privateKey });
  return openLocalL1({
    restUrl,
    vipAddress,
    agent: account.account,
    sign: async (message, chainId) =>
      (await signMessage({ restUrl, chainId, account, message, gas: 1_000_000n, signal })).json,
    signal,
  });
}

/** Ends L1's stage, with the weight that votes give a rollup. */
async function endStage(context: Context): Promise<void> {
  const l1 = await openPracticeL1(context);
  const { bridges } = await readVipBridges(l1.options);
  const [only] = bridges;
  // Without a weight and a balance, no stage would have rewards.
  if (only !== undefined && bridges.length === 1) {
    await l1.govern("update_vip_weight", only.bridgeId, bcsRatio.encode(whole));
  }
  await l1.call("advance_stage");
  const { stage } = await readVipStage(l1.options);
  context.output.print(`L1 is at stage ${stage}`);
  context.output.json({ command: "practice stage", stage });
}

async function submitSnapshots(context: Context, flags: ConnectionFlags): Promise<void> {
  const { output, signal } = context;
  const l1 = await openPracticeL1(context);
  const settings = await readSettings(context, flags);
  const contract = await connect(context, settings, flags, "none");
  const own = await readRollupBridge(context, settings);
  if (own === undefined) {
    throw new InputError("the rollup names no bridge: it does not run beside the local L1", {
      code: "CONFIG_INVALID",
      metaMessages: ["Start both together: vipscore node --l1"],
    });
  }
  const bridge = requireRegistered((await readVipBridges(l1.options)).bridges, own.bridgeId);
  const { bridgeId, version } = bridge;
  const snapshots: object[] = [];
  const { stage: current } = await readVipStage(l1.options);
  for (;;) {
    const { next } = await readSnapshotStages({ ...l1.options, ...bridge });
    if (next >= current) break;
    const stage = toStage(next);
    const info = await contract.getStage(stage, { signal });
    if (info?.isFinalized !== true) break;
    const { root, total } = snapshotOf(await readStage(contract, stage, { signal }), stage, bridgeId);
    // L1 stores some root for a stage without scores.
    const bytes = Buffer.from(root ?? "00".repeat(32), "hex");
    await l1.call("submit_snapshot", u64(bridgeId), u64(version), u64(stage), bcsBytes.encode(bytes), u64(total));
    snapshots.push({ stage, root, total });
    output.print(`submitted the snapshot of stage ${stage}: root ${root ?? "none"}, total ${group(total)}`);
  }
  if (snapshots.length === 0) output.print("no stage that is over on L1 is finalized and waits for its snapshot");
  output.json({ command: "practice snapshot", bridgeId, version, snapshots });
}

async function endPeriods(context: Context): Promise<void> {
  const l1 = await openPracticeL1(context);
  const { intervalSeconds, parameters } = await readVipStage(l1.options);
  const { vestingPeriodStages, minimumEligibleTvl } = parameters;
  await l1.call("set_parameters", ...[intervalSeconds, vestingPeriodStages, 0n, minimumEligibleTvl].map(u64));
  // L1 takes a claim in the second after the end of the period. Without transactions it makes a block each second.
  const now = async (): Promise<number> => (await readVipStage(l1.options)).time.getTime();
  const begun = await now();
  await l1.waitFor("a block of the second after next", async () => ((await now()) < begun + 2000 ? undefined : true));
  context.output.print("the challenge period is 0 s: L1 takes claims of every snapshot");
  context.output.json({ command: "practice period", challengePeriodSeconds: 0n });
}

async function sendFile(context: Context, file: string): Promise<void> {
  const l1 = await openPracticeL1(context);
  const content = await readJsonFile(pathOf(context.io, file), { name: file, signal: context.io.signal });
  const transaction = readTransaction(content);
  if (Array.isArray(transaction.signatures) && transaction.signatures.length === 0) {
    throw new InputError(`${file} is not signed`, {
      metaMessages: ["Write it again with --sign and the key of its account."],
    });
  }
  const hash = await l1.send(transaction);
  context.output.print(`sent  ${hash}`);
  context.output.json({ command: "practice send", hash });
}

const anything: ReadField<unknown> = (field) => field.value ?? field.failExpected("what a transaction has");

/** The node reads the rest. */
const readTransaction = fields({ body: anything, auth_info: anything, signatures: anything });
