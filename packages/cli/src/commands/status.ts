import type { Command } from "commander";
import {
  listLastStages,
  mayFinalize,
  readStageTable,
  type ContractControl,
  type PinnedOptions,
  type ScoreContract,
  type Stage,
  type StageInfo,
  type Vm,
} from "@vipscore/core";
import { count, formatTokens, group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { openContract } from "../contract/connect.ts";
import { parseStage, withConnectionOptions, withKeyOption } from "../options.ts";
import { controlJson, controlPairs, describeVersion, shownAccount } from "../output/contractText.ts";
import { formatTable } from "../output/table.ts";
import type { ConnectionFlags } from "../settings/readSettings.ts";

interface StatusFlags extends ConnectionFlags {
  readonly stage?: Stage;
}

export function addStatus(command: Command, context: Context): void {
  withKeyOption(withConnectionOptions(command))
    .option("--stage <n>", "show this stage instead of the newest ones", parseStage)
    .addHelpText("after", "\nExample:\n  $ vipscore status")
    .action((flags: StatusFlags) => showStatus(context, flags));
}

const stagesListed = 5;

async function showStatus(context: Context, flags: StatusFlags): Promise<void> {
  const { io, output } = context;
  const contract = await openContract(context, flags, "optional");
  const at = { height: await contract.getHeight({ signal: io.signal }), signal: io.signal };
  const status = await readStatus(contract, flags.stage, at);
  output.print(statusText(status, flags.stage));
  output.json(statusJson(status));
}

type ContractStatus = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(contract: ScoreContract, asked: Stage | undefined, at: PinnedOptions) {
  const { identity, version, features } = contract;
  const initStage = await contract.getInitStage(at);
  const stages: readonly ListedStage[] =
    asked === undefined
      ? await listLastStages(contract, { ...at, first: initStage, limit: stagesListed })
      : await readOne(contract, asked, at);
  const members = await contract.getMembers(at);
  const control = await contract.getControl(at);
  const signer = await readSigner(contract, control, at);
  return { identity, version, features, height: at.height, initStage, stages, members, control, signer };
}

/** A stage; the only one that is listed has the digest of its scores. */
type ListedStage = StageInfo & { readonly sha256?: string };

async function readOne(contract: ScoreContract, stage: Stage, at: PinnedOptions): Promise<readonly ListedStage[]> {
  const info = await contract.getStage(stage, at);
  if (info === undefined) return [];
  const { table } = await readStageTable(contract, stage, { ...at, info });
  return [{ ...info, sha256: table.digest() }];
}

async function readSigner(contract: ScoreContract, control: ContractControl | undefined, at: PinnedOptions) {
  const account = contract.signer;
  if (account === undefined) return undefined;
  const [isMember, fees] = await Promise.all([contract.isMember(account, at), contract.getFees({ signal: at.signal })]);
  return { account, isMember, mayFinalize: mayFinalize(account, isMember, control), fees };
}

/** Returns the status for people. @param asked The stage asked for; undefined for the newest ones. */
function statusText(status: ContractStatus, asked: Stage | undefined): string {
  const { identity, height, initStage, stages, members, control, signer } = status;
  return [
    "stages of the contract; vipscore stage shows those of L1",
    ...formatTable([
      ["contract", `${identity.address} on chain ${identity.chainId}, ${contractText(status)}`],
      ["height", group(height)],
      ["first stage", `${initStage}`],
      ...stages.map((info, index) => [index === 0 ? "stages" : "", stageText(info)]),
      ...stages.flatMap(({ sha256 }) => (sha256 === undefined ? [] : [["sha256", sha256]])),
      ...(stages.length === 0 ? [[`stage ${asked}`, "does not exist"]] : []),
      [
        "members",
        members?.map((account) => shownAccount(account, identity.vm)).join(", ") ??
          "cannot be listed on a reference contract",
      ],
      ...controlPairs(identity, control),
      ...(signer === undefined ? [] : [["signer", signerText(signer, identity.vm)]]),
    ]),
  ].join("\n");
}

function contractText({ version, features }: ContractStatus): string {
  if (Object.values(features).some(Boolean)) return `vipscore contract ${describeVersion(version, features)}`;
  return version === undefined ? "a reference contract" : `a reference contract, version ${version}`;
}

function stageText({ stage, isFinalized, total, count: scored }: StageInfo): string {
  const accounts = scored === undefined ? "" : `   ${count(scored, "account")}`;
  return `${stage}   ${isFinalized ? "finalized" : "open     "}   total ${group(total)}${accounts}`;
}

function signerText(
  { account, isMember, mayFinalize: may, fees }: NonNullable<ContractStatus["signer"]>,
  vm: Vm,
): string {
  const balance = formatTokens(fees.balance, fees.token, "down");
  return `${shownAccount(account, vm)}, ${isMember ? "may write scores" : "may not write scores"}, ${may ? "may finalize" : "may not finalize"}, balance ${balance}`;
}

function statusJson(status: ContractStatus) {
  const { identity, version, features, height, initStage, stages, members, control, signer } = status;
  return {
    command: "status",
    of: "contract",
    contract: identity,
    version,
    features,
    height,
    initStage,
    stages: stages.map(stageJson),
    members,
    control: controlJson(control),
    signer: signer && {
      account: signer.account,
      isMember: signer.isMember,
      mayFinalize: signer.mayFinalize,
      balance: signer.fees.balance,
      token: signer.fees.token,
    },
  };
}

function stageJson({ stage, isFinalized, total, count: scored, revision, sha256 }: ListedStage) {
  const accounts = scored === undefined ? null : Number(scored);
  return { stage, isFinalized, total, accounts, revision, ...(sha256 === undefined ? {} : { sha256 }) };
}
