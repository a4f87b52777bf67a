import { InputError, readStage, type Account, type ScoreContract, type Stage } from "@vipscore/core";
import {
  challengeCall,
  checkBridgeBalance,
  checkCommission,
  checkNotRegistered,
  checkOperator,
  describeMessage,
  proposalMessage,
  readChallengeTerms,
  registerCall,
  updateContractCall,
  type VipCall,
} from "@vipscore/l1";
import type { Context } from "../../context.ts";
import type { L1Connection } from "../../l1/l1Connection.ts";
import { snapshotOf } from "../../l1/snapshotOf.ts";
import { refuseFiles, writeTransaction, type NewFile } from "../../l1/writeTransaction.ts";
import { checkChallenge } from "./checkChallenge.ts";
import { checkDeposit } from "./checkDeposit.ts";
import { checkNewStages, checkReplacementStages } from "./checkStages.ts";
import { forumText } from "./forumText.ts";
import { checkBridge, findScoreContract, openProposal, openRegistered, type ProposalFlags } from "./openProposal.ts";
import { proposalLines } from "./proposalLines.ts";
import { readRegistrationFile, type ProposalFile, type RegistrationFile } from "./readProposalFile.ts";
import {
  completedName,
  completeProfile,
  readProfile,
  type ProfileRegistration,
  type RegistryProfile,
} from "./registryProfile.ts";

/** The flags of `proposal register`. */
export interface RegisterFlags extends ProposalFlags {
  readonly registry?: string;
}

/** Writes the proposal that registers a rollup: `proposal register`. */
export async function registerRollup(context: Context, flags: RegisterFlags): Promise<void> {
  const file = await readRegistrationFile(context, flags.settings);
  checkCommission(file.commission);
  const profile = await openProfile(context, flags, file);
  const proposal = await openProposal(context, flags, file);
  const { l1 } = proposal;
  const { bridgeId, bridgeAddress, operator } = file;
  const { endsBy } = await checkDeposit(context, proposal, flags);
  await checkBridge(context, proposal, flags, { bridgeId, bridgeAddress });
  checkNotRegistered(l1.bridges, bridgeId);
  await checkOperator({ ...l1.options, operator });
  await checkBridgeBalance({ ...l1.options, current: l1.current, bridgeAddress });
  const contract = await findScoreContract(context, proposal, flags);
  await checkNewStages(context, l1, contract, endsBy);
  const { chainId, address, vm } = contract.identity;
  const call = registerCall({ ...file, scoreContract: address, vm });
  const others = profile === undefined ? [] : [completeProfile(context, profile, { ...file, ...profile, chainId })];
  await writeFiles(context, flags, { command: "proposal register", ...proposal, contract, call, others });
}

/** Reads the profile to complete, if there is one, before anything is asked of a chain. */
async function openProfile(
  context: Context,
  { registry, settings, out, forum }: RegisterFlags,
  { actions }: RegistrationFile,
): Promise<(RegistryProfile & Pick<ProfileRegistration, "actions">) | undefined> {
  if (registry === undefined) return undefined;
  if (actions === undefined) {
    throw new InputError(`${settings}: actions is missing`, {
      code: "PROPOSAL_INVALID",
      metaMessages: ["List what earns scores, each with a title and a description: the profile shows it."],
    });
  }
  await refuseFiles(context, [out, forum, completedName(registry)]);
  return { ...(await readProfile(context, registry)), actions };
}

/** Writes the proposal that names another contract: `proposal contract`. */
export async function replaceContract(context: Context, flags: ProposalFlags): Promise<void> {
  const proposal = await openRegistered(context, flags);
  const { l1, file, registered } = proposal;
  await checkDeposit(context, proposal, flags);
  const contract = await findScoreContract(context, proposal, flags);
  await checkReplacementStages(context, l1, contract, registered);
  const call = updateContractCall(file.bridgeId, contract.identity.address);
  await writeFiles(context, flags, { command: "proposal contract", ...proposal, contract, call });
}

/** The flags of `proposal challenge`. */
export interface ChallengeFlags extends ProposalFlags {
  readonly stage: Stage;
  readonly expedited?: true;
}

/** Writes the proposal that replaces a snapshot of VIP's agent: `proposal challenge`. */
export async function challengeSnapshot(context: Context, flags: ChallengeFlags): Promise<void> {
  const { stage, expedited = false } = flags;
  const proposal = await openRegistered(context, flags);
  const { l1, file, registered } = proposal;
  const { rules } = await checkDeposit(context, proposal, flags, { expedited });
  const contract = await findScoreContract(context, proposal, flags);
  const state = await readStage(contract, stage, { signal: context.io.signal });
  const snapshot = snapshotOf(state, stage, file.bridgeId);
  await checkChallenge(context, { l1, bridge: registered, state, snapshot, rules, expedited });
  const terms = await readChallengeTerms(l1.options);
  const call = challengeCall({ ...file, stage, root: snapshot.root, total: snapshot.total, terms });
  await writeFiles(context, flags, { command: "proposal challenge", ...proposal, contract, call, expedited });
}

interface CheckedProposal {
  readonly command: string;
  readonly l1: L1Connection;
  readonly file: ProposalFile & Partial<RegistrationFile>;
  readonly proposer: Account;
  readonly contract: ScoreContract;
  readonly call: VipCall;
  readonly expedited?: boolean;
  /** More files to write. */
  readonly others?: readonly NewFile[];
}

async function writeFiles(context: Context, flags: ProposalFlags, checked: CheckedProposal): Promise<void> {
  const { command, l1, file, proposer, contract, call, expedited } = checked;
  const message = proposalMessage(call, l1.current.vip.address, { ...file, proposer, expedited });
  const others = [...(checked.others ?? [])];
  if (flags.forum !== undefined) {
    const initStage = await contract.getInitStage({ signal: context.io.signal });
    const meaning = describeMessage(message);
    const text = forumText({ settings: file, contract: contract.identity, initStage, meaning });
    others.unshift({ name: flags.forum, text });
  }
  context.output.print([...proposalLines(message), ""].join("\n"));
  await writeTransaction(context, l1, flags, { command, message, others });
}
