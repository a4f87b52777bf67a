import { CheckError, formatBech32, InputError, VipError, type Account, type ScoreContract } from "@vipscore/core";
import {
  checkBridgeExists,
  checkRollupBridge,
  requireRegistered,
  type VipBridge,
  type WantedBridge,
} from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { openRollup } from "../../contract/connect.ts";
import { connectL1, type L1Connection } from "../../l1/l1Connection.ts";
import { readRollupBridge } from "../../l1/rollupBridge.ts";
import type { TransactionFlags } from "../../l1/transactionOptions.ts";
import { refuseFiles } from "../../l1/writeTransaction.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { readContractFile, type ProposalFile } from "./readProposalFile.ts";

/** The flags of every proposal. */
export interface ProposalFlags extends ConnectionFlags, TransactionFlags {
  readonly settings: string;
  readonly forum?: string;
}

/** A proposal whose settings and chains are open. */
export interface OpenProposal {
  readonly file: ProposalFile;
  readonly settings: Settings;
  readonly l1: L1Connection;
  /** The account that proposes and pays the deposit. */
  readonly proposer: Account;
}

/**
 * Opens the chains of a proposal, and finds who proposes.
 *
 * @throws InputError `PROPOSAL_INVALID`, `CONFIG_INVALID`, `FILE_UNWRITABLE`, `KEY_INVALID`; DeviceError; NodeError.
 */
export async function openProposal<T extends ProposalFile>(
  context: Context,
  flags: ProposalFlags,
  file: T,
): Promise<OpenProposal & { readonly file: T }> {
  await refuseFiles(context, [flags.out, flags.forum]);
  const settings = await readSettings(context, flags);
  const l1 = await connectL1(context, settings.l1, flags);
  return { file, settings, l1, proposer: proposerOf(file, l1, flags) };
}

/**
 * Opens a proposal about a rollup that is registered with VIP; checks that the endpoints are its.
 *
 * @throws CheckError `BRIDGE_NOT_REGISTERED`, `BRIDGE_MISMATCH`, `CHAIN_MISMATCH`, `BRIDGE_NOT_FOUND`; as {@link openProposal}.
 */
export async function openRegistered(
  context: Context,
  flags: ProposalFlags,
): Promise<OpenProposal & { readonly registered: VipBridge }> {
  const proposal = await openProposal(context, flags, await readContractFile(context, flags.settings));
  const { vm } = proposal.settings;
  const { bridgeId } = proposal.file;
  const registered = requireRegistered(proposal.l1.bridges, bridgeId);
  if (registered.vm !== vm) {
    throw new CheckError(
      `bridge ${bridgeId} is registered for ${registered.vm ?? "another VM"}, the endpoint is ${vm}`,
      { code: "BRIDGE_MISMATCH", metaMessages: ["Name the endpoint of the bridge's rollup."] },
    );
  }
  await checkBridge(context, proposal, flags, { bridgeId });
  return { ...proposal, registered };
}

/**
 * Checks that the bridge is the rollup's, and exists on this L1.
 *
 * @throws CheckError `BRIDGE_MISMATCH`, `CHAIN_MISMATCH`, `BRIDGE_NOT_FOUND`; InputError `CONFIG_INVALID`; NodeError.
 */
export async function checkBridge(
  context: Context,
  { settings, l1: { options, current } }: OpenProposal,
  flags: ProposalFlags,
  wanted: Omit<WantedBridge, "l1ChainId">,
): Promise<void> {
  if (settings.rollupRestUrl === undefined) {
    throw new InputError("the rollup's REST endpoint is not known, which names its bridge", {
      code: "CONFIG_INVALID",
      metaMessages: ["Name it with --rollup-rest-url or ROLLUP_REST_URL; a node usually serves it on port 1317."],
    });
  }
  const ofRollup = await readRollupBridge(context, settings);
  checkRollupBridge({ ...wanted, l1ChainId: current.chainId }, ofRollup);
  await checkBridgeExists({ ...options, bridgeId: wanted.bridgeId });
}

/**
 * Connects to the contract that the settings name.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND`; InputError `PROPOSAL_INVALID`; NodeError.
 */
export async function findScoreContract(
  context: Context,
  { settings, file: { contract } }: Pick<OpenProposal, "settings" | "file">,
  flags: ProposalFlags,
): Promise<ScoreContract> {
  const rollup = await openRollup(context, settings, flags, "none");
  try {
    return await rollup.connect(contract);
  } catch (error) {
    if (!VipError.isVipError(error)) throw error;
    if (error.code === "CONTRACT_NOT_FOUND") {
      const hints = [...error.advice, `The address comes from "contract" in ${flags.settings}.`];
      throw new CheckError(error.shortMessage, { code: error.code, metaMessages: hints, cause: error });
    }
    if (error.code !== "INPUT_INVALID") throw error;
    throw new InputError(`${flags.settings}: contract cannot be used: ${error.shortMessage}`, {
      code: "PROPOSAL_INVALID",
      cause: error,
    });
  }
}

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
