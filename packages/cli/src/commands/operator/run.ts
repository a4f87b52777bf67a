import { InputError, parseAccount } from "@vipscore/core";
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
  type VipMessage,
} from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { checkIsOperator, connectL1, type L1Connection } from "../../l1/l1Connection.ts";
import type { TransactionFlags } from "../../l1/transactionOptions.ts";
import { refuseFiles, writeTransaction } from "../../l1/writeTransaction.ts";
import { findL1Settings, type L1CommandFlags } from "../../settings/l1Settings.ts";

/** The flags of `operator commission` and `operator address`. */
export interface OperatorFlags extends L1CommandFlags, TransactionFlags {
  readonly bridgeId: bigint;
}

/** Writes the transaction that sets the operator's share: `operator commission`. */
export async function setCommission(context: Context, text: string, flags: OperatorFlags): Promise<void> {
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

/** Writes the transaction that names another operator: `operator address`. */
export async function setAddress(context: Context, text: string, flags: OperatorFlags): Promise<void> {
  const operator = parseAccount(text, { accountBytes: [20, 32] });
  const l1 = await open(context, flags);
  const message = messageOf(l1, flags, updateOperatorCall(flags.bridgeId, operator));
  await checkOperator({ ...l1.options, operator });
  await writeTransaction(context, l1, flags, { command: "operator address", message });
}

async function open(context: Context, flags: OperatorFlags): Promise<L1Connection> {
  await refuseFiles(context, [flags.out]);
  return connectL1(context, await findL1Settings(context.io, flags), flags);
}

/** Returns the message of the registered operator. */
function messageOf({ bridges, current, signer }: L1Connection, { bridgeId }: OperatorFlags, call: VipCall): VipMessage {
  const operator = checkIsOperator(signer, requireRegistered(bridges, bridgeId));
  return executeMessage(call, current.vip.address, operator);
}
