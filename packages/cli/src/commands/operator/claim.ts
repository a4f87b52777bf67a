import { CheckError, InputError } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import {
  claimOperatorRewardsCall,
  executeMessage,
  readOperatorRewards,
  readVipOperator,
  requireRegistered,
  type OperatorRewards,
  type VipBridge,
} from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { claimGas } from "../../l1/claimGas.ts";
import { connectL1, type L1Connection } from "../../l1/l1Connection.ts";
import { refuseFiles, writeTransaction } from "../../l1/writeTransaction.ts";
import { findL1Settings } from "../../settings/l1Settings.ts";
import { checkIsOperator, type OperatorFlags } from "./run.ts";

/** The flags of `operator claim`. */
export interface OperatorClaimFlags extends OperatorFlags {
  readonly bridgeVersion?: bigint;
}

/** The operator's rewards of a registration. */
interface VersionRewards extends OperatorRewards {
  readonly bridge: VipBridge;
}

/** Writes the transaction that claims the operator's rewards: `operator claim`. */
export async function claimOperatorRewards(context: Context, flags: OperatorClaimFlags): Promise<void> {
  const { output } = context;
  await refuseFiles(context, [flags.out]);
  const l1 = await connectL1(context, await findL1Settings(context.io, flags), flags);
  const versions = versionsOf(l1, flags.bridgeId);
  const bridge = wantedOf(versions, flags);
  const { bridgeId, version } = bridge;
  const info = await readVipOperator({ ...l1.options, bridgeId, version });
  checkIsOperator(l1.signer, info, bridgeId);
  const all: VersionRewards[] = [];
  for (const one of versions) all.push({ bridge: one, ...(await readOperatorRewards({ ...l1.options, ...one })) });
  output.print(all.flatMap(rewardLines).join("\n"));
  requireClaimable(all, bridge);
  const call = claimOperatorRewardsCall(bridgeId, version);
  await writeTransaction(context, l1, flags, {
    command: "operator claim",
    message: executeMessage(call, l1.current.vip.address, info.operator),
    gas: claimGas(all.find((one) => one.bridge === bridge)?.rewards.length ?? 0),
    details: {
      rewards: all.flatMap(({ bridge: of, rewards }) => rewards.map((one) => ({ version: of.version, ...one }))),
    },
  });
}

/** The registrations of a bridge, oldest first. Operators still claim for those that have ended. */
function versionsOf({ bridges, ended }: L1Connection, bridgeId: bigint): readonly VipBridge[] {
  const found = [...ended, ...bridges].filter((bridge) => bridge.bridgeId === bridgeId);
  return found.length > 0 ? found : [requireRegistered(bridges, bridgeId)];
}

/** @throws InputError `INPUT_INVALID` for a version that the bridge never had. */
function wantedOf(versions: readonly VipBridge[], { bridgeId, bridgeVersion }: OperatorClaimFlags): VipBridge {
  const wanted =
    bridgeVersion === undefined ? versions.at(-1) : versions.find(({ version }) => version === bridgeVersion);
  if (wanted !== undefined) return wanted;
  throw new InputError(`bridge ${bridgeId} has no version ${bridgeVersion}`, {
    metaMessages: [`Its versions are ${versions.map(({ version }) => version).join(", ")}.`],
  });
}

/** @throws CheckError `CLAIM_INVALID` if L1 refuses a claim, or it would change nothing. */
function requireClaimable(all: readonly VersionRewards[], { bridgeId, version }: VipBridge): void {
  const claimable = all.filter(({ isClaimable }) => isClaimable).map(({ bridge }) => bridge.version);
  if (claimable.includes(version)) return;
  const unfunded = all.find(({ bridge }) => bridge.version === version)?.unfundedStage;
  const nothing = `nothing is claimable for the operator of bridge ${bridgeId}, version ${version}`;
  throw new CheckError(unfunded === undefined ? nothing : `${nothing}: ${unfundedText(unfunded)}`, {
    code: "CLAIM_INVALID",
    metaMessages: [
      claimable.length > 0
        ? `Name another version with --bridge-version: ${claimable.join(", ")}.`
        : unfunded !== undefined
          ? "Ask those who run VIP: only its module can fund the stage."
          : "Claim again when VIP's agent has submitted the snapshot of a later stage.",
    ],
  });
}

function unfundedText(stage: bigint): string {
  return `L1 has not funded stage ${stage}, and refuses every claim of this version`;
}

function rewardLines({ bridge: { bridgeId, version }, rewards, unfundedStage }: VersionRewards): readonly string[] {
  const title = `operator of bridge ${bridgeId}, version ${version}`;
  if (unfundedStage !== undefined) return [`${title}: ${unfundedText(unfundedStage)}`];
  if (rewards.length === 0) return [`${title}: no rewards`];
  const rows = rewards.map(({ stage, reward, paid, due, endStage, isVesting }) => [
    ...[stage, reward, paid, due, endStage].map(group),
    isVesting ? "vesting" : "vests from the first claim on",
  ]);
  const table = [["stage", "reward", "paid", "due", "until stage", ""], ...rows];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return [
    title,
    ...table.map((row) =>
      `  ${row.map((cell, column) => cell[column === 5 ? "padEnd" : "padStart"](widths[column] ?? 0)).join("  ")}`.trimEnd(),
    ),
    "  A reward vests in equal parts, one with the snapshot of each later stage: the first claim of the newest stage pays nothing.",
  ];
}
