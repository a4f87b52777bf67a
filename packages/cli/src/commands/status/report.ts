import {
  formatChecksummed,
  type Account,
  type ContractControl,
  type ContractFeatures,
  type ContractIdentity,
  type FeeQuote,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import { formatTokens, group } from "@vipscore/core/values";
import { controlJson, controlPairs } from "../../output/controlText.ts";
import { describeVersion } from "../../output/lackingFeatures.ts";
import { formatTable } from "../../output/table.ts";

/** A stage, with the digest of its scores if all of them were read. */
export interface ListedStage extends StageInfo {
  readonly sha256?: string;
}

/** A contract's identity and state at one height. */
export interface ContractStatus {
  readonly identity: ContractIdentity;
  readonly version: string | undefined;
  readonly features: ContractFeatures;
  readonly height: bigint;
  readonly initStage: Stage;
  /** The stages to list; empty if the one asked for does not exist. */
  readonly stages: readonly ListedStage[];
  /** Undefined for a reference contract. */
  readonly members: readonly Account[] | undefined;
  readonly control: ContractControl | undefined;
  /** Undefined without a key. */
  readonly signer: SignerStatus | undefined;
}

/** Permissions of the signer. */
export interface SignerStatus {
  readonly account: Account;
  readonly isMember: boolean;
  readonly mayFinalize: boolean;
  readonly fees: FeeQuote;
}

/** Returns the status for people. @param asked - The stage asked for; undefined for the newest ones. */
export function statusText(status: ContractStatus, asked: Stage | undefined): string {
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
      ["members", members?.map(formatChecksummed).join(", ") ?? "cannot be listed on a reference contract"],
      ...controlPairs(identity, control),
      ...(signer === undefined ? [] : [["signer", signerText(signer)]]),
    ]),
  ].join("\n");
}

function contractText({ version, features }: ContractStatus): string {
  if (Object.values(features).some(Boolean)) return `vipscore contract ${describeVersion(version, features)}`;
  return version === undefined ? "a reference contract" : `a reference contract, version ${version}`;
}

function stageText({ stage, isFinalized, total, count }: StageInfo): string {
  const accounts = count === undefined ? "" : `   ${group(count)} accounts`;
  return `${stage}   ${isFinalized ? "finalized" : "open     "}   total ${group(total)}${accounts}`;
}

function signerText({ account, isMember, mayFinalize, fees }: SignerStatus): string {
  const balance = formatTokens(fees.balance, fees.token, "down");
  return `${formatChecksummed(account)}, ${isMember ? "may write scores" : "may not write scores"}, ${mayFinalize ? "may finalize" : "may not finalize"}, balance ${balance}`;
}

/** Returns the status for `--json`. */
export function statusJson(status: ContractStatus): object {
  const { identity, version, features, height, initStage, stages, members, control, signer } = status;
  return {
    command: "status",
    of: "contract",
    contract: identity,
    version: version ?? null,
    features,
    height,
    initStage,
    stages: stages.map(stageJson),
    members: members ?? null,
    control: controlJson(control),
    signer: signer === undefined ? null : signerJson(signer),
  };
}

function stageJson({ stage, isFinalized, total, count, revision, sha256 }: ListedStage): object {
  return {
    stage,
    isFinalized,
    total,
    accounts: count === undefined ? null : Number(count),
    revision: revision ?? null,
    ...(sha256 === undefined ? {} : { sha256 }),
  };
}

function signerJson({ account, isMember, mayFinalize, fees }: SignerStatus): object {
  return { account, isMember, mayFinalize, balance: fees.balance, token: fees.token };
}
