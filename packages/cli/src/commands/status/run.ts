import {
  formatChecksummed,
  mayFinalize,
  type Account,
  type ContractControl,
  type FeeQuote,
  type ScoreContract,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { listLastStages } from "../../contract/listLastStages.ts";
import { controlJson, controlLines } from "../../output/controlText.ts";
import { formatTokens, group } from "../../output/numbers.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";

/** The flags of `status`. */
export interface StatusFlags extends ConnectionFlags {
  readonly stage?: Stage;
}

/** Number of stages listed, the newest ones. */
const stagesListed = 5;

/** Shows the contract and what its signer may do: `status`. */
export async function showStatus(context: Context, flags: StatusFlags): Promise<void> {
  const { io, output } = context;
  const settings = await readSettings(context, flags);
  const contract = await connect(context, settings, flags, "optional");
  const height = await contract.getHeight({ signal: io.signal });
  const at = { height, signal: io.signal };
  const initStage = await contract.getInitStage(at);
  const stages =
    flags.stage === undefined
      ? await listLastStages(contract, initStage, stagesListed, at)
      : await one(contract, flags.stage, at);
  const members = await contract.getMembers(at);
  const control = await contract.getControl(at);
  const signer = await describeSigner(contract, control, at);
  const version = contract.version ?? null;
  const { identity } = contract;
  const lines = [
    "stages of the contract; vipscore stage shows those of L1",
    `contract     ${identity.address} on chain ${identity.chainId}, ${version === null ? "a reference contract" : `vipscore contract ${version}`}`,
    `height       ${group(height)}`,
    `first stage  ${initStage}`,
    ...stages.map((info, index) => (index === 0 ? "stages" : "").padEnd(13) + stageText(info)),
    ...(stages.length === 0 ? [`stage ${flags.stage}`.padEnd(13) + "does not exist"] : []),
    `members      ${members === undefined ? "cannot be listed on a reference contract" : members.map(formatChecksummed).join(", ")}`,
    ...controlLines(identity, control),
  ];
  if (signer !== undefined) {
    const balance = formatTokens(signer.fees.balance, signer.fees.token, "down");
    lines.push(
      `signer       ${formatChecksummed(signer.account)}, ${signer.isMember ? "may write scores" : "may not write scores"}, ${signer.mayFinalize ? "may finalize" : "may not finalize"}, balance ${balance}`,
    );
  }
  output.print(lines.join("\n"));
  output.json({
    command: "status",
    of: "contract",
    contract: identity,
    version,
    height,
    initStage,
    stages: stages.map(stageJson),
    members: members ?? null,
    control: controlJson(control),
    signer:
      signer === undefined
        ? null
        : {
            account: signer.account,
            isMember: signer.isMember,
            mayFinalize: signer.mayFinalize,
            balance: signer.fees.balance,
            token: signer.fees.token,
          },
  });
}

type At = { readonly height: bigint; readonly signal: AbortSignal };

async function one(contract: ScoreContract, stage: Stage, at: At): Promise<readonly StageInfo[]> {
  const info = await contract.getStage(stage, at);
  return info === undefined ? [] : [info];
}

interface Signer {
  readonly account: Account;
  readonly isMember: boolean;
  readonly mayFinalize: boolean;
  readonly fees: FeeQuote;
}

async function describeSigner(
  contract: ScoreContract,
  control: ContractControl | undefined,
  at: At,
): Promise<Signer | undefined> {
  const account = contract.signer;
  if (account === undefined) return undefined;
  const [isMember, fees] = await Promise.all([contract.isMember(account, at), contract.getFees({ signal: at.signal })]);
  return { account, isMember, mayFinalize: mayFinalize(account, isMember, control), fees };
}

function stageText({ stage, isFinalized, total, count }: StageInfo): string {
  const accounts = count === undefined ? "" : `   ${group(count)} accounts`;
  return `${stage}   ${isFinalized ? "finalized" : "open     "}   total ${group(total)}${accounts}`;
}

function stageJson({ stage, isFinalized, total, count, revision }: StageInfo): object {
  return {
    stage,
    isFinalized,
    total,
    accounts: count === undefined ? null : Number(count),
    revision: revision ?? null,
  };
}
