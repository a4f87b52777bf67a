import type { Command } from "commander";
import { formatBech32, InputError, parseAccount, VipError } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import {
  checkCommissionChange,
  checkOperator,
  claimGas,
  claimOperatorRewardsCall,
  executeMessage,
  neverPaidText,
  parseMoveAddress,
  parseRatio,
  readOperatorRewards,
  readVipOperator,
  refusalOf,
  registrationsOf,
  requireRegistered,
  updateCommissionCall,
  updateOperatorCall,
  type OperatorRewards,
  type VipBridge,
  type VipCall,
  type VipOperator,
} from "@vipscore/l1";
import type { Context } from "../context.ts";
import { connectL1, type L1Connection } from "../l1/openL1.ts";
import {
  refuseFiles,
  withTransactionOptions,
  writeTransaction,
  type TransactionFlags,
} from "../l1/writeTransaction.ts";
import { configOption, parseU64, withL1Options, withOutputOptions } from "../options.ts";
import { formatTable } from "../output/table.ts";
import { findL1Settings, type L1CommandFlags } from "../settings/readSettings.ts";

export function addOperator(operator: Command, context: Context): void {
  withOperatorOptions(operator.command("commission <rate>"))
    .description("write the transaction that sets the operator's share of the rewards, such as 0.05")
    .addHelpText("after", "\nExample:\n  $ vipscore operator commission 0.05 --bridge-id 7 --out commission.tx.json")
    .action((rate: string, flags: OperatorFlags) => setCommission(context, rate, flags));
  withOperatorOptions(operator.command("address <address>"))
    .description("write the transaction that makes another account the operator")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore operator address init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq --bridge-id 7 --out operator.tx.json",
    )
    .action((address: string, flags: OperatorFlags) => setAddress(context, address, flags));
  withOperatorOptions(operator.command("claim"))
    .description("show the operator's rewards, and write the transaction that claims them")
    .option(
      "--bridge-version <n>",
      "the registration of the bridge, counted from 1 (default: the newest)",
      parseU64("--bridge-version"),
    )
    .addHelpText("after", "\nExample:\n  $ vipscore operator claim --bridge-id 7 --out claim.tx.json")
    .action((flags: OperatorClaimFlags) => claimRewards(context, flags));
}

interface OperatorFlags extends L1CommandFlags, TransactionFlags {
  readonly bridgeId: bigint;
}

interface OperatorClaimFlags extends OperatorFlags {
  readonly bridgeVersion?: bigint;
}

function withOperatorOptions(command: Command): Command {
  return withTransactionOptions(withL1Options(withOutputOptions(command)))
    .requiredOption("--bridge-id <id>", "the rollup's bridge ID on L1", parseU64("--bridge-id"))
    .addOption(configOption());
}

async function setCommission(context: Context, text: string, flags: OperatorFlags): Promise<void> {
  const rate = parseRatio(text);
  if (rate === undefined) {
    throw new InputError(`the commission "${text}" is not a decimal number such as 0.05, which is 5 percent`);
  }
  const { l1, bridge, info } = await openOperator(context, flags, { isClaim: false });
  checkCommissionChange(info, rate, l1.current.stage);
  const call = updateCommissionCall(bridge.bridgeId, bridge.version, rate);
  await writeCall(context, flags, { command: "operator commission", l1, info, call });
}

async function setAddress(context: Context, text: string, flags: OperatorFlags): Promise<void> {
  const operator = parseAccount(text, { accountBytes: [20, 32] });
  const { l1, bridge, info } = await openOperator(context, flags, { isClaim: false });
  checkCanHandOver(bridge, info);
  await checkOperator({ ...l1.options, operator });
  const call = updateOperatorCall(bridge.bridgeId, operator);
  await writeCall(context, flags, { command: "operator address", l1, info, call });
}

/** Shows the operator's rewards of every registration, and writes the transaction that claims those of one. */
async function claimRewards(context: Context, flags: OperatorClaimFlags): Promise<void> {
  const { l1, bridges, bridge, info } = await openOperator(context, flags, { isClaim: true });
  const all: VersionRewards[] = [];
  for (const one of bridges) all.push({ bridge: one, ...(await readOperatorRewards({ ...l1.options, ...one })) });
  context.output.print(all.flatMap((each) => rewardLines(each, l1.denom, context.output.columns)).join("\n"));
  requireClaimable(all, bridge);
  await writeCall(context, flags, {
    command: "operator claim",
    l1,
    info,
    call: claimOperatorRewardsCall(bridge.bridgeId, bridge.version),
    gas: claimGas(all.find((one) => one.bridge === bridge)?.rewards.length ?? 0),
    details: {
      rewards: all.flatMap(({ bridge: { version }, rewards }) => rewards.map((reward) => ({ version, ...reward }))),
    },
  });
}

async function openOperator(context: Context, flags: OperatorClaimFlags, { isClaim }: { readonly isClaim: boolean }) {
  await refuseFiles(context, [flags.out]);
  const l1 = await connectL1(context, await findL1Settings(context.io, flags), flags);
  const { bridgeId } = flags;
  // Oldest first. Operators still claim for those that have ended.
  const bridges = registrationsOf(l1, bridgeId);
  const bridge = isClaim && bridges.length > 0 ? namedVersion(bridges, flags) : requireRegistered(l1.bridges, bridgeId);
  const info = await readVipOperator({ ...l1.options, bridgeId, version: bridge.version });
  if (l1.signer !== undefined && l1.signer.account !== info.operator) {
    throw denied(
      `${formatBech32(l1.signer.account)} is not the operator of bridge ${bridgeId}: L1 knows ${formatBech32(info.operator)}`,
      "Sign with the operator's key.",
    );
  }
  return { l1, bridges, bridge, info };
}

function namedVersion(bridges: readonly VipBridge[], { bridgeId, bridgeVersion }: OperatorClaimFlags): VipBridge {
  const named = bridgeVersion === undefined ? bridges.at(-1) : bridges.find(({ version }) => version === bridgeVersion);
  if (named !== undefined) return named;
  throw new InputError(`bridge ${bridgeId} has no version ${bridgeVersion}`, {
    metaMessages: [`Its versions are ${bridges.map(({ version }) => version).join(", ")}.`],
  });
}

async function writeCall(
  context: Context,
  flags: OperatorFlags,
  work: {
    readonly l1: L1Connection;
    readonly info: VipOperator;
    readonly command: string;
    readonly call: VipCall;
    readonly gas?: bigint;
    readonly details?: object;
  },
): Promise<void> {
  const { l1, info, call, ...rest } = work;
  const message = executeMessage(call, l1.current.vip.address, info.operator);
  await writeTransaction(context, l1, flags, { message, ...rest });
}

/**
 * L1 keeps the operator twice: in the bridge's registration and in the record that decides about the commission. Governance
 * can change the second alone (`update_operator_info`). To hand the role over, an account must be both (`update_operator`).
 */
function checkCanHandOver({ bridgeId, operatorAddress }: VipBridge, { operator }: VipOperator): void {
  const registered = parseMoveAddress(operatorAddress);
  if (registered === operator) return;
  throw denied(
    `the operator of bridge ${bridgeId} is ${formatBech32(operator)}, but its registration still names ${formatBech32(registered)}: L1 lets neither hand the role over`,
    `Governance can, with vip::update_operator_info. The commission is for ${formatBech32(operator)} to set.`,
  );
}

function denied(message: string, hint: string): VipError {
  return new VipError(message, { code: "PERMISSION_DENIED", metaMessages: [hint] });
}

interface VersionRewards extends OperatorRewards {
  readonly bridge: VipBridge;
}

function requireClaimable(all: readonly VersionRewards[], { bridgeId, version, endStage }: VipBridge): void {
  const claimable = all.filter(({ isClaimable }) => isClaimable).map(({ bridge }) => bridge.version);
  if (claimable.includes(version)) return;
  const wanted = all.find(({ bridge }) => bridge.version === version);
  const refusal = wanted && refusalOf(wanted);
  const until = endStage === undefined ? "" : `; L1 takes none after stage ${endStage}`;
  const advice = refusal?.advice ?? `Claim again when VIP's agent has submitted the snapshot of a later stage${until}.`;
  const nothing = `nothing is claimable for the operator of bridge ${bridgeId}, version ${version}`;
  throw new VipError(refusal === undefined ? nothing : `${nothing}: ${refusal.text}`, {
    code: "CLAIM_INVALID",
    metaMessages: [
      claimable.length > 0 ? `Name another version with --bridge-version: ${claimable.join(", ")}.` : advice,
    ],
  });
}

function rewardLines(version: VersionRewards, denom: string, columns: number): readonly string[] {
  const { bridge, rewards } = version;
  const title = `operator of bridge ${bridge.bridgeId}, version ${bridge.version}, in ${denom}`;
  const refusal = refusalOf(version);
  if (refusal !== undefined) return [`${title}: ${refusal.text}`];
  if (rewards.length === 0) return [`${title}: no rewards`];
  const rows = rewards.map(({ stage, reward, paid, due, endStage, unpaid, isVesting }) => [
    ...[stage, reward, paid, due, endStage].map(group),
    unpaid > 0n ? `${group(unpaid)} never paid` : isVesting ? "vesting" : "vests from the first claim on",
  ]);
  return [
    title,
    ...formatTable([["stage", "reward", "paid", "due", "until stage", ""], ...rows], {
      align: "rrrrrl",
      indent: "  ",
      columns,
    }),
    "  A reward vests in equal parts, one with the snapshot of each later stage: the first claim of the newest stage pays nothing.",
    ...[neverPaidText(bridge, rewards, denom)].flatMap((text) => (text === undefined ? [] : [`  But ${text}.`])),
  ];
}
