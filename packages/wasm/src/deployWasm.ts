import { createHash } from "node:crypto";
import { InputError, type DeployParameters } from "@vipscore/core";
import {
  newestShown,
  notAsDeployed,
  openSender,
  readRoles,
  reportUnchanged,
  requireReplacer,
  requireRoles,
  runDeployStep,
  type DeployStep,
  type DesiredState,
  type StepOutcome,
} from "@vipscore/core/engine";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import {
  checkChainId,
  openTransport,
  parseGasPrice,
  TransactionSigner,
  type CosmosAccount,
  type CosmosMessage,
} from "@vipscore/cosmos";
import type { ReadWasmChainIdParameters } from "./chainFacts.ts";
import { findContract, stringifyExact, type ContractReader } from "./contractReader.ts";
import { completeContract, type DeployedWasm } from "./deployedState.ts";
import { eventValue } from "./eventValue.ts";
import { memberGas } from "./gasModel.ts";
import { parseFailure } from "./parseFailure.ts";
import { requireInstantiable, storeCode } from "./storedCode.ts";
import type { InstantiateMsg } from "./vipScoreTypes.generated.ts";
import { addressOf, contractAddress, wasmAccountBytes } from "./wasmAddress.ts";
import { readWasmArtifact, vipScoreFile } from "./wasmArtifact.ts";
import { msgInstantiateContract2 } from "./wasmMessages.ts";

/** Longest label that chains with CosmWasm accept (wasmd 0.55, `x/wasm/types/validation.go`). */
const longestLabel = 128;

/** Upper bound of the gas of an instantiation without members. */
const instantiateGas = 300_000n;

/** `owner` requires `admin`. */
export interface DeployWasmParameters extends ReadWasmChainIdParameters, DeployParameters {
  /** Pays for the deployment, and becomes the contract's owner and its first member. */
  readonly account: CosmosAccount;
  /** Who may migrate the contract to other code. `none` is permanent. Default: `account`. */
  readonly admin?: string | undefined;
  /**
   * The contract's label on the chain. Default: `vip_score`. An account has one contract of this code per label: the
   * address is derived from account, code and label.
   */
  readonly label?: string | undefined;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
}

/**
 * Stores the scoring contract of this package, or of an artifact, unless the chain already has its code, instantiates it with its members and
 * its finalizer, offers ownership, and reads the result back. Skips what the chain already has, so a second run
 * sends only the remaining steps.
 *
 * @throws InputError `INPUT_INVALID` for a label that no chain accepts, an `owner` without an `admin`, an artifact that
 * cannot be deployed, or roles that its contract does not have; `FILE_UNREADABLE`; VipError
 * `CHAIN_MISMATCH`; `INIT_STAGE_SET` if the contract exists and started at another stage; `CONTRACT_NOT_FOUND` if the
 * chain does not have what was deployed; ExecutionError; BroadcastError; NodeError; the signal's reason when aborted.
 * @example
 * const { address } = await deployWasm({ rpcUrl, account: wasmAccount({ mnemonic }), initStage: stage(1n) });
 */
export async function deployWasm(parameters: DeployWasmParameters): Promise<DeployedWasm> {
  const { account, initStage, admin, signal, inclusionTimeoutMs, onEvent } = parameters;
  const { members, finalizer, owner } = readRoles(parameters, wasmAccountBytes);
  requireReplacer(account.account, owner, {
    name: "admin",
    value: admin,
    hint: {
      code: "name-admin",
      text: "Also name who may replace the code: the new owner, or none for permanently nobody.",
    },
  });
  const code = await readWasmArtifact(parameters.artifact ?? vipScoreFile);
  requireRoles(code.features, { finalizer, owner });
  const label = checkLabel(parameters.label ?? "vip_score");
  const gasPrice = parameters.gasPrices === undefined ? undefined : parseGasPrice(parameters.gasPrices);
  const comet = openJsonRpc(parameters.rpcUrl);
  const rest = restOverRpc(comet);
  const chainId = await checkChainId(rest, { ...parameters, needsReceipts: true });
  const salt = createHash("sha256").update(label).digest();
  const address = contractAddress({ checksum: code.checksum, creator: account.account, salt });
  const signer = new TransactionSigner(rest, { chainId, account, gasPrice });
  const transport = openTransport(rest, parseFailure);
  const sender = openSender({ ...transport, signer });
  const { simulate } = transport;
  const context = { address, account, signer, sender, simulate, onEvent, inclusionTimeoutMs, signal };
  const reader = { comet, address };

  // What to send depends on the current state, so read the newest that any node behind the endpoint has.
  const found = { height: await newestShown(transport.heights, { signal }), signal };
  const present = await findContract(reader, found);
  let created: StepOutcome | undefined;
  if (present === undefined) {
    const codeId = await storeCode(comet, context, code, found);
    const step = planInstantiate({ account, initStage, members, finalizer, admin }, { codeId, label, salt });
    await requireInstantiable(context, step.message);
    created = await runDeployStep(context, step);
    await checkAddress(reader, created.hash, signal);
  } else {
    reportUnchanged(context, { step: "store", codeId: present.codeId });
    reportUnchanged(context, { step: "instantiate", codeId: present.codeId });
  }
  const desired = { initStage, members: [account.account, ...members], finalizer, owner };
  const isNew = created !== undefined;
  const state = await completeContract(reader, context, desired, {
    height: created?.height ?? found.height,
    isNew,
    creator: isNew ? account.account : undefined,
    features: code.features,
  });
  const transaction = created && { hash: created.hash, height: created.height, gasUsed: created.gasUsed };
  return { address, chainId, transaction, ...state };
}

function checkLabel(label: string): string {
  const bytes = Buffer.byteLength(label);
  if (bytes > 0 && bytes <= longestLabel && label.trim() === label) return label;
  throw new InputError(
    `label ${JSON.stringify(label.slice(0, 200))} is empty, is too long, or starts or ends with a space`,
    {
      metaMessages: [`A label has 1 to ${longestLabel} bytes.`],
    },
  );
}

/** Plans the step that makes a contract of stored code. */
export function planInstantiate(
  {
    account,
    initStage,
    members = [],
    finalizer,
    admin,
  }: Pick<DeployWasmParameters, "account" | "initStage" | "admin"> &
    Partial<Pick<DesiredState, "members" | "finalizer">>,
  { codeId, label, salt }: { readonly codeId: bigint; readonly label: string; readonly salt: Buffer },
): DeployStep<CosmosMessage> {
  const { address: sender } = account;
  const allowed = [...new Set([account.account, ...members])].map(addressOf);
  const settings: InstantiateMsg = {
    allow_list: allowed,
    init_stage: initStage,
    ...(finalizer !== undefined && { finalizer: addressOf(finalizer) }),
  };
  const message = msgInstantiateContract2({
    sender,
    admin: admin === "none" ? "" : addressOf(admin ?? account.account),
    codeId,
    label,
    msg: stringifyExact(settings) ?? "",
    salt,
  });
  return {
    subject: { step: "instantiate", codeId },
    message,
    gas: instantiateGas + memberGas * BigInt(allowed.length),
  };
}

/** Checks that the contract got the computed address. */
async function checkAddress({ comet, address }: ContractReader, hash: string, signal: AbortSignal | undefined) {
  const given = await eventValue(comet, hash, { type: "instantiate", key: "_contract_address" }, signal);
  if (given !== address) throw notAsDeployed(address, `the chain instantiated it at ${given}`);
}
