import type { Command } from "commander";
import {
  formatBech32,
  InputError,
  readJsonFile,
  readStage,
  VipError,
  type Account,
  type ScoreContract,
  type Stage,
} from "@vipscore/core";
import type { Field } from "@vipscore/core/field";
import type { PolicyFormulas } from "@vipscore/core/manifest";
import { formatTime } from "@vipscore/core/values";
import {
  challengeCall,
  checkBridgeBalance,
  checkChallenge,
  checkCommission,
  checkDeposit,
  checkNewStages,
  checkNoOpenProposal,
  checkNotRegistered,
  checkOperator,
  checkReplacementStages,
  describeMessage,
  forumText,
  postGaps,
  proposalFields,
  proposalMessage,
  readChallengeTerms,
  readContractChange,
  readRegistration,
  registerCall,
  registrationsOf,
  requireRegistered,
  stageStart,
  updateContractCall,
  type ForumPost,
  type ProposalFile,
  type RegistrationFile,
  type VipBridge,
  type VipCall,
} from "@vipscore/l1";
import type { Context } from "../context.ts";
import { openRollup } from "../contract/connect.ts";
import { pathOf } from "../contract/readTable.ts";
import { checkBridge, connectL1, snapshotOf, type L1Connection } from "../l1/openL1.ts";
import {
  noteGaps,
  refuseFiles,
  withTransactionOptions,
  writeTransaction,
  type TransactionFlags,
} from "../l1/writeTransaction.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { rollupRestUrlOption, stageOption, withEndpointOptions, withL1Options } from "../options.ts";
import { formatTable } from "../output/table.ts";
import { rollups } from "../rollup/rollups.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../settings/readSettings.ts";

export function addProposal(proposal: Command, context: Context): void {
  withProposalOptions(proposal.command("register"))
    .description("write the proposal that registers the rollup, after checking its settings against both chains")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore proposal register --settings proposal.json --out proposal.tx.json --forum forum.md",
    )
    .action((flags: ProposalFlags) => registerRollup(context, flags));
  withProposalOptions(proposal.command("contract"))
    .description("write the proposal that names another contract for a registered rollup")
    .addHelpText("after", "\nExample:\n  $ vipscore proposal contract --settings proposal.json --out proposal.tx.json")
    .action((flags: ProposalFlags) => replaceContract(context, flags));
  withProposalOptions(proposal.command("challenge"))
    .description("write the proposal that replaces a wrong snapshot on L1 by the contract's scores")
    .addOption(stageOption())
    .option("--expedited", "an expedited vote: shorter, for a larger deposit and a larger majority")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore proposal challenge --stage 12 --settings proposal.json --out challenge.tx.json",
    )
    .action((flags: ChallengeFlags) => challengeSnapshot(context, flags));
}

function withProposalOptions(command: Command): Command {
  command.requiredOption("--settings <file>", "JSON file with the fields of the proposal");
  return withTransactionOptions(withL1Options(withEndpointOptions(command)))
    .option("--forum <file>", "also write a forum post in the outline of Initia's forum to a new Markdown file")
    .option("--policy <folder>", "the scoring policy whose formulas the post shows; needs @vipscore/policy")
    .addOption(rollupRestUrlOption());
}

interface ProposalFlags extends ConnectionFlags, TransactionFlags {
  readonly settings: string;
  readonly forum?: string;
  readonly policy?: string;
}

interface ChallengeFlags extends ProposalFlags {
  readonly stage: Stage;
  readonly expedited?: true;
}

async function registerRollup(context: Context, flags: ProposalFlags): Promise<void> {
  const file = readRegistration(await readProposalJson(context, flags.settings));
  checkCommission(file.commission);
  const proposal = await openProposal(context, flags, file);
  const { l1, settings } = proposal;
  const { bridgeId, bridgeAddress, operator } = file;
  const { endsBy } = await checkVote(context, proposal, flags);
  await checkBridge(context, settings, l1, { bridgeId, bridgeAddress });
  checkNotRegistered(l1.bridges, bridgeId);
  await checkNoOpenProposal({ ...l1.options, vip: l1.current.vip, bridgeId }, "register");
  await checkOperator({ ...l1.options, operator });
  await checkBridgeBalance({ ...l1.options, current: l1.current, bridgeAddress });
  const contract = await findScoreContract(context, settings, file, flags);
  const ended = registrationsOf(l1, bridgeId);
  context.output.warnAll(await checkNewStages(l1.current, contract, endsBy, ended, context.io.signal));
  const { address, vm } = contract.identity;
  const call = registerCall({ ...file, scoreContract: address, vm });
  await writeFiles(context, flags, { command: "proposal register", ...proposal, contract, call });
}

async function replaceContract(context: Context, flags: ProposalFlags): Promise<void> {
  const proposal = await openRegistered(context, flags);
  const { l1, settings, file, registered } = proposal;
  await checkVote(context, proposal, flags);
  const open = { ...l1.options, vip: l1.current.vip, bridgeId: file.bridgeId };
  await checkNoOpenProposal(open, "update_l2_score_contract");
  const contract = await findScoreContract(context, settings, file, flags);
  context.output.warnAll(await checkReplacementStages(l1.options, contract, registered));
  const call = updateContractCall(file.bridgeId, contract.identity.address);
  await writeFiles(context, flags, { command: "proposal contract", ...proposal, contract, call });
}

async function challengeSnapshot(context: Context, flags: ChallengeFlags): Promise<void> {
  const { stage, expedited = false } = flags;
  const proposal = await openRegistered(context, flags);
  const { l1, settings, file, registered } = proposal;
  const { rules } = await checkVote(context, proposal, flags, expedited);
  const contract = await findScoreContract(context, settings, file, flags);
  const state = await readStage(contract, stage, { signal: context.io.signal });
  const snapshot = snapshotOf(state, stage, file.bridgeId);
  const { startBefore, facts } = await checkChallenge(l1, registered, state.info, snapshot, { rules, expedited });
  context.output.warn(
    `the vote executes in time only if it starts, with its whole deposit, before ${formatTime(startBefore)}`,
  );
  const terms = await readChallengeTerms(l1.options);
  const call = challengeCall({ ...file, stage, root: snapshot.root, total: snapshot.total, terms });
  await writeFiles(context, flags, { command: "proposal challenge", ...proposal, contract, call, expedited, facts });
}

interface OpenProposal<File extends ProposalFile = ProposalFile> {
  readonly file: File;
  readonly settings: Settings;
  readonly l1: L1Connection;
  /** The account that proposes and pays the deposit. */
  readonly proposer: Account;
}

async function readProposalJson({ io, scrubber }: Context, name: string): Promise<Field> {
  const json = await readJsonFile(pathOf(io, name), {
    name,
    refuse: (place, problem) => new InputError(`${place} ${problem}`, { code: "PROPOSAL_INVALID" }),
    signal: io.signal,
  });
  // An error may repeat a value, which may be a key in the wrong place.
  scrubber.addGiven(JSON.stringify(json.value));
  return json;
}

async function openProposal<File extends ProposalFile>(
  context: Context,
  flags: ProposalFlags,
  file: File,
): Promise<OpenProposal<File>> {
  if (flags.policy !== undefined && flags.forum === undefined) {
    throw new InputError("--policy is for the post: add --forum <file>");
  }
  await refuseFiles(context, [flags.out, flags.forum]);
  const settings = await readSettings(context, flags);
  const l1 = await connectL1(context, settings.l1, flags);
  return { file, settings, l1, proposer: proposerOf(file, l1, flags) };
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

/** Opens a proposal about a rollup that is registered with VIP; checks that the endpoints are its. */
async function openRegistered(
  context: Context,
  flags: ProposalFlags,
): Promise<OpenProposal & { readonly registered: VipBridge }> {
  const file = readContractChange(await readProposalJson(context, flags.settings));
  const proposal = await openProposal(context, flags, file);
  const { vm } = proposal.settings;
  const { bridgeId } = file;
  const registered = requireRegistered(proposal.l1.bridges, bridgeId);
  if (registered.vm !== vm) {
    throw new VipError(`bridge ${bridgeId} is registered for ${registered.vm ?? "another VM"}, the endpoint is ${vm}`, {
      code: "BRIDGE_MISMATCH",
      metaMessages: ["Name the endpoint of the bridge's rollup."],
    });
  }
  await checkBridge(context, proposal.settings, proposal.l1, { bridgeId });
  return { ...proposal, registered };
}

async function checkVote(
  context: Context,
  { l1, file: { deposit } }: OpenProposal,
  { settings: name }: ProposalFlags,
  expedited = false,
): Promise<Omit<Awaited<ReturnType<typeof checkDeposit>>, "warnings">> {
  const { warnings, ...vote } = await checkDeposit(l1, { name, deposit, expedited });
  context.output.warnAll(warnings);
  return vote;
}

async function findScoreContract(
  context: Context,
  settings: Settings,
  { contract }: ProposalFile,
  flags: ProposalFlags,
): Promise<ScoreContract> {
  const rollup = await openRollup(context, settings, flags, "none");
  try {
    return await rollup.connect(contract);
  } catch (error) {
    if (!VipError.isVipError(error)) throw error;
    if (error.code === "CONTRACT_NOT_FOUND") {
      const hints = [...error.advice, `The address comes from "contract" in ${flags.settings}.`];
      throw new VipError(error.shortMessage, { code: error.code, metaMessages: hints, cause: error });
    }
    if (error.code !== "INPUT_INVALID") throw error;
    throw new InputError(`${flags.settings}: contract cannot be used: ${error.shortMessage}`, {
      code: "PROPOSAL_INVALID",
      cause: error,
    });
  }
}

async function writeFiles(
  context: Context,
  flags: ProposalFlags,
  proposal: Pick<OpenProposal<ProposalFile & Partial<RegistrationFile>>, "l1" | "file" | "proposer"> & {
    readonly command: string;
    readonly contract: ScoreContract;
    readonly call: VipCall;
    readonly expedited?: boolean;
    readonly facts?: ForumPost["facts"];
  },
): Promise<void> {
  const { command, l1, file, proposer, contract, call, expedited, facts } = proposal;
  const message = proposalMessage(call, l1.current.vip.address, { ...file, proposer, expedited });
  let forum: { readonly name: string; readonly text: string } | undefined;
  if (flags.forum !== undefined) {
    const { vm, address } = contract.identity;
    const connection = `--vm ${vm} --endpoint <${rollups[vm].protocols[0]} of the rollup> --contract ${address}`;
    const initStage = await contract.getInitStage({ signal: context.io.signal });
    const text = forumText({
      settings: file,
      policy: await readFormulas(context, flags),
      contract: contract.identity,
      vmName: rollups[vm].name,
      initStage,
      startsAt: stageStart(l1.current, initStage),
      meaning: describeMessage(message),
      facts,
      howToCheck: [
        `npx @vipscore/cli export --stage <n> ${connection}`,
        `npx @vipscore/cli snapshot --stage <n> ${connection} --l1-rest-url <REST of L1>`,
      ],
    });
    forum = { name: flags.forum, text };
  }
  const gaps = forum && postGaps(forum.text);
  // Lines of a text are indented, so that none can pass for a field.
  const rows = proposalFields(message).flatMap(([name, text]) =>
    text.split("\n").map((line, index) => [index === 0 ? name : "", line]),
  );
  context.output.print([...formatTable(rows), ""].join("\n"));
  await writeTransaction(context, l1, flags, { command, message, deposit: file.deposit, forum, details: { gaps } });
  if (forum !== undefined && gaps !== undefined) noteGaps(context, forum.name, gaps);
}

async function readFormulas({ io }: Context, { policy }: ProposalFlags): Promise<PolicyFormulas | undefined> {
  if (policy === undefined) return undefined;
  const { policyFormulas, readPolicy } = await optionalPackage("@vipscore/policy");
  return policyFormulas(await readPolicy(pathOf(io, policy), { signal: io.signal }));
}
