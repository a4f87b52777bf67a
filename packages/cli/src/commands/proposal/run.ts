import { CheckError, formatBech32, InputError, VipError, type Account, type ScoreContract } from "@vipscore/core";
import {
  checkBridgeBalance,
  checkCommission,
  checkNotRegistered,
  checkOperator,
  checkRollupBridge,
  describeMessage,
  proposalMessage,
  readBridgeInfo,
  registerCall,
  requireRegistered,
  updateContractCall,
  type RollupBridge,
  type VipCall,
} from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { openRollup } from "../../contract/connect.ts";
import { connectL1, type L1Connection } from "../../l1/l1Connection.ts";
import type { TransactionFlags } from "../../l1/transactionOptions.ts";
import { refuseFiles, writeTransaction } from "../../l1/writeTransaction.ts";
import { rollups } from "../../rollup/rollups.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { checkDeposit } from "./checkDeposit.ts";
import { checkNewStages, checkReplacementStages } from "./checkStages.ts";
import { forumText } from "./forumText.ts";
import {
  readContractFile,
  readRegistrationFile,
  type ProposalFile,
  type RegistrationFile,
} from "./readProposalFile.ts";

/** The flags of `proposal register` and `proposal contract`. */
export interface ProposalFlags extends ConnectionFlags, TransactionFlags {
  readonly settings: string;
  readonly forum?: string;
  readonly rollupRestUrl?: string;
}

/** Writes the proposal that registers a rollup: `proposal register`. */
export async function registerRollup(context: Context, flags: ProposalFlags): Promise<void> {
  const file = await readRegistrationFile(context, flags.settings);
  await refuseFiles(context, [flags.out, flags.forum]);
  checkCommission(file.commission);
  const settings = await readSettings(context, flags);
  const l1 = await connectL1(context, settings.l1, flags);
  const proposer = proposerOf(file, l1, flags);
  const { deposit, bridgeId, bridgeAddress, operator } = file;
  const voteEndsAt = await checkDeposit(context, l1, { settings: flags.settings, deposit, proposer });
  checkRollupBridge(file, await readRollupBridge(context, settings, flags));
  checkNotRegistered(l1.bridges, bridgeId);
  await checkOperator({ ...l1.options, operator });
  await checkBridgeBalance({ ...l1.options, current: l1.current, bridgeAddress });
  const contract = await findScoreContract(context, settings, flags, file);
  await checkNewStages(context, l1, contract, voteEndsAt);
  const call = registerCall({ ...file, scoreContract: contract.identity.address, vm: contract.identity.vm });
  await writeFiles(context, flags, { command: "proposal register", l1, file, proposer, contract, call });
}

/** Writes the proposal that names another contract: `proposal contract`. */
export async function replaceContract(context: Context, flags: ProposalFlags): Promise<void> {
  const file = await readContractFile(context, flags.settings);
  await refuseFiles(context, [flags.out, flags.forum]);
  const settings = await readSettings(context, flags);
  const l1 = await connectL1(context, settings.l1, flags);
  const proposer = proposerOf(file, l1, flags);
  await checkDeposit(context, l1, { settings: flags.settings, deposit: file.deposit, proposer });
  const registered = requireRegistered(l1.bridges, file.bridgeId);
  if (registered.vm !== settings.vm) {
    throw new CheckError(
      `bridge ${file.bridgeId} is registered for ${registered.vm ?? "another VM"}, the endpoint is ${settings.vm}`,
      { code: "BRIDGE_MISMATCH", metaMessages: ["Name the endpoint of the bridge's rollup."] },
    );
  }
  const contract = await findScoreContract(context, settings, flags, file);
  await checkReplacementStages(context, l1, contract, registered);
  const call = updateContractCall(file.bridgeId, contract.identity.address);
  await writeFiles(context, flags, { command: "proposal contract", l1, file, proposer, contract, call });
}

interface CheckedProposal {
  readonly command: string;
  readonly l1: L1Connection;
  readonly file: ProposalFile & Partial<RegistrationFile>;
  readonly proposer: Account;
  readonly contract: ScoreContract;
  readonly call: VipCall;
}

async function writeFiles(context: Context, flags: ProposalFlags, checked: CheckedProposal): Promise<void> {
  const { command, l1, file, proposer, contract, call } = checked;
  const message = proposalMessage(call, l1.current.vip.address, { ...file, proposer });
  const others = [];
  if (flags.forum !== undefined) {
    const initStage = await contract.getInitStage({ signal: context.io.signal });
    const meaning = describeMessage(message);
    const text = forumText({ settings: file, contract: contract.identity, initStage, meaning });
    others.push({ name: flags.forum, text });
  }
  await writeTransaction(context, l1, flags, { command, message, others });
}

/** Returns who proposes and pays the deposit. */
function proposerOf({ proposer }: ProposalFile, { signer }: L1Connection, { settings }: ProposalFlags): Account {
  const account = signer?.account ?? proposer;
  if (account === undefined) {
    throw new InputError(`${settings}: proposer is missing`, {
      code: "PROPOSAL_INVALID",
      metaMessages: ["Name the account that pays the deposit and signs, or sign with --sign."],
    });
  }
  if (proposer === undefined || proposer === account) return account;
  throw new InputError(`${settings}: proposer is ${formatBech32(proposer)}, the signer is ${formatBech32(account)}`, {
    code: "PROPOSAL_INVALID",
    metaMessages: ["Sign with the proposer's key, or remove the field."],
  });
}

async function readRollupBridge(
  { io, scrubber }: Context,
  { vm, endpoint, localNode }: Settings,
  { rollupRestUrl }: ProposalFlags,
): Promise<RollupBridge | undefined> {
  const url = rollupRestUrl ?? (rollups[vm].endpoint.protocol === "REST" ? endpoint.value : localNode?.restUrl);
  if (url === undefined) {
    throw new InputError("the rollup's REST endpoint is not known, which names its bridge", {
      code: "CONFIG_INVALID",
      metaMessages: ["Name it with --rollup-rest-url; a node usually serves it on port 1317."],
    });
  }
  scrubber.addUrl(url);
  return readBridgeInfo({ rollupRestUrl: url, signal: io.signal });
}

async function findScoreContract(
  context: Context,
  settings: Settings,
  flags: ProposalFlags,
  { contract }: ProposalFile,
): Promise<ScoreContract> {
  const rollup = await openRollup(context, settings, flags, "none");
  try {
    return await rollup.connect(contract);
  } catch (error) {
    if (!VipError.isVipError(error)) throw error;
    if (error.code === "CONTRACT_NOT_FOUND") {
      const hints = [...error.metaMessages, `The address comes from "contract" in ${flags.settings}.`];
      throw new CheckError(error.shortMessage, { code: error.code, metaMessages: hints, cause: error });
    }
    if (error.code !== "INPUT_INVALID") throw error;
    throw new InputError(`${flags.settings}: contract cannot be used: ${error.shortMessage}`, {
      code: "PROPOSAL_INVALID",
      cause: error,
    });
  }
}
