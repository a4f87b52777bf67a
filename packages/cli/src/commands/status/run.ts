import {
  listLastStages,
  mayFinalize,
  readStageTable,
  type ContractControl,
  type ScoreContract,
  type Stage,
} from "@vipscore/core";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { statusJson, statusText, type ContractStatus, type ListedStage, type SignerStatus } from "./report.ts";

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
  const status = await readStatus(contract, flags.stage, { height, signal: io.signal });
  output.print(statusText(status, flags.stage));
  output.json(statusJson(status));
}

type At = { readonly height: bigint; readonly signal: AbortSignal };

async function readStatus(contract: ScoreContract, asked: Stage | undefined, at: At): Promise<ContractStatus> {
  const { identity, version, features } = contract;
  const initStage = await contract.getInitStage(at);
  const stages =
    asked === undefined
      ? await listLastStages(contract, { ...at, first: initStage, limit: stagesListed })
      : await one(contract, asked, at);
  const members = await contract.getMembers(at);
  const control = await contract.getControl(at);
  const signer = await describeSigner(contract, control, at);
  return { identity, version, features, height: at.height, initStage, stages, members, control, signer };
}

async function one(contract: ScoreContract, stage: Stage, at: At): Promise<readonly ListedStage[]> {
  const info = await contract.getStage(stage, at);
  if (info === undefined) return [];
  const { table } = await readStageTable(contract, stage, { ...at, info });
  return [{ ...info, sha256: table.digest() }];
}

async function describeSigner(
  contract: ScoreContract,
  control: ContractControl | undefined,
  at: At,
): Promise<SignerStatus | undefined> {
  const account = contract.signer;
  if (account === undefined) return undefined;
  const [isMember, fees] = await Promise.all([contract.isMember(account, at), contract.getFees({ signal: at.signal })]);
  return { account, isMember, mayFinalize: mayFinalize(account, isMember, control), fees };
}
