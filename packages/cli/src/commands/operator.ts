import { Option, type Command } from "commander";
import { InputError, parseAccount } from "@vipscore/core";
import type { MessageJson } from "@vipscore/core/cosmos";
import {
  checkCommissionChange,
  checkOperator,
  executeMessage,
  parseRatio,
  readVipOperator,
  requireRegistered,
  updateCommissionCall,
  updateOperatorCall,
  type VipCall,
} from "@vipscore/l1";
import { readNodeFile } from "@vipscore/localnet/nodeFile";
import { configOption, parseU64, withL1Options, withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { checkIsOperator, connectL1, type L1Connection } from "../proposal/l1Connection.ts";
import {
  refuseFiles,
  withTransactionOptions,
  writeTransaction,
  type TransactionFlags,
} from "../proposal/writeTransaction.ts";
import { readConfigFile } from "../settings/configFile.ts";
import { readL1Settings, type L1Flags } from "../settings/l1Settings.ts";

interface OperatorFlags extends L1Flags, TransactionFlags {
  readonly bridgeId: bigint;
  readonly config?: string;
}

/** Adds `operator commission` and `operator address`. */
export function addOperator(program: Command, context: Context): void {
  const operator = program
    .command("operator")
    .description(
      "write transactions with which the operator of a registered rollup changes its commission or its address",
    );
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
}

function withOperatorOptions(command: Command): Command {
  return withTransactionOptions(withL1Options(withOutputOptions(command)))
    .addOption(
      new Option("--bridge-id <id>", "the rollup's bridge ID on L1")
        .argParser((text) => parseU64("--bridge-id", text))
        .makeOptionMandatory(),
    )
    .addOption(configOption());
}

async function setCommission(context: Context, text: string, flags: OperatorFlags): Promise<void> {
  const rate = parseRatio(text);
  if (rate === undefined) {
    throw new InputError(`the commission "${text}" is not a decimal number such as 0.05, which is 5 percent`);
  }
  const l1 = await open(context, flags);
  const { bridgeId, version } = requireRegistered(l1.bridges, flags.bridgeId);
  checkCommissionChange(await readVipOperator({ ...l1.options, bridgeId, version }), rate, l1.current.stage);
  const message = messageOf(l1, flags, updateCommissionCall(bridgeId, version, rate));
  await writeTransaction(context, l1, flags, { command: "operator commission", message });
}

async function setAddress(context: Context, text: string, flags: OperatorFlags): Promise<void> {
  const operator = parseAccount(text, { accountBytes: [20, 32] });
  const l1 = await open(context, flags);
  const message = messageOf(l1, flags, updateOperatorCall(flags.bridgeId, operator));
  await checkOperator({ ...l1.options, operator });
  await writeTransaction(context, l1, flags, { command: "operator address", message });
}

async function open(context: Context, flags: OperatorFlags): Promise<L1Connection> {
  const { io } = context;
  await refuseFiles(context, [flags.out]);
  const l1 = readL1Settings(io, flags, await readConfigFile(io, flags.config), await readNodeFile(io.cwd));
  return connectL1(context, l1, flags);
}

/** Returns the message of the registered operator. */
function messageOf(
  { bridges, current, signer }: L1Connection,
  { bridgeId }: OperatorFlags,
  call: VipCall,
): MessageJson {
  const operator = checkIsOperator(signer, requireRegistered(bridges, bridgeId));
  return executeMessage(call, current.vip.address, operator);
}
