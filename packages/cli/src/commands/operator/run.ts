import { CheckError, formatBech32, InputError, parseAccount } from "@vipscore/core";
import {
  checkCommissionChange,
  checkOperator,
  executeMessage,
  parseMoveAddress,
  parseRatio,
  readVipOperator,
  requireRegistered,
  updateCommissionCall,
  updateOperatorCall,
  type VipBridge,
  type VipCall,
  type VipOperator,
} from "@vipscore/l1";
import type { MoveAccount } from "@vipscore/move";
import type { Context } from "../../context.ts";
import { connectL1, type L1Connection } from "../../l1/l1Connection.ts";
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
  const { l1, bridge, info } = await open(context, flags);
  checkCommissionChange(info, rate, l1.current.stage);
  const call = updateCommissionCall(bridge.bridgeId, bridge.version, rate);
  await write(context, flags, { command: "operator commission", l1, info, call });
}

/** Writes the transaction that names another operator: `operator address`. */
export async function setAddress(context: Context, text: string, flags: OperatorFlags): Promise<void> {
  const operator = parseAccount(text, { accountBytes: [20, 32] });
  const { l1, bridge, info } = await open(context, flags);
  checkCanHandOver(bridge, info);
  await checkOperator({ ...l1.options, operator });
  const call = updateOperatorCall(bridge.bridgeId, operator);
  await write(context, flags, { command: "operator address", l1, info, call });
}

/** A registered rollup, and L1's record of its operator. */
interface OpenOperator {
  readonly l1: L1Connection;
  readonly bridge: VipBridge;
  readonly info: VipOperator;
}

/** @throws CheckError `PERMISSION_DENIED` if another account than the operator would sign. */
async function open(context: Context, flags: OperatorFlags): Promise<OpenOperator> {
  await refuseFiles(context, [flags.out]);
  const l1 = await connectL1(context, await findL1Settings(context.io, flags), flags);
  const bridge = requireRegistered(l1.bridges, flags.bridgeId);
  const { bridgeId, version } = bridge;
  const info = await readVipOperator({ ...l1.options, bridgeId, version });
  checkIsOperator(l1.signer, info, bridgeId);
  return { l1, bridge, info };
}

async function write(
  context: Context,
  flags: OperatorFlags,
  work: Pick<OpenOperator, "l1" | "info"> & { readonly command: string; readonly call: VipCall },
): Promise<void> {
  const { command, l1, info, call } = work;
  const message = executeMessage(call, l1.current.vip.address, info.operator);
  await writeTransaction(context, l1, flags, { command, message });
}

/** @throws CheckError `PERMISSION_DENIED` if another account than the operator would sign. */
export function checkIsOperator(signer: MoveAccount | undefined, { operator }: VipOperator, bridgeId: bigint): void {
  if (signer === undefined || signer.account === operator) return;
  throw denied(
    `${formatBech32(signer.account)} is not the operator of bridge ${bridgeId}: L1 knows ${formatBech32(operator)}`,
    "Sign with the operator's key.",
  );
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

function denied(message: string, hint: string): CheckError {
  return new CheckError(message, { code: "PERMISSION_DENIED", metaMessages: [hint] });
}
