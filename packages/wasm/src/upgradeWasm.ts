import { createHash } from "node:crypto";
import { VipError, type Account, type DeployParameters, type Stage } from "@vipscore/core";
import {
  newestShown,
  openSender,
  pollUntil,
  readRoles,
  reportUnchanged,
  requireRoles,
  runDeployStep,
  type DeployStep,
  type StepOutcome,
} from "@vipscore/core/engine";
import {
  openJsonRpc,
  patienceMs,
  RestError,
  restOverRpc,
  type MonotonicHeight,
  type RestClient,
} from "@vipscore/core/wire";
import {
  checkChainId,
  openTransport,
  parseGasPrice,
  simulateGas,
  TransactionSigner,
  type CosmosAccount,
  type CosmosMessage,
} from "@vipscore/cosmos";
import type { ReadWasmChainIdParameters } from "./chainFacts.ts";
import { stateOf } from "./connectWasm.ts";
import { findContract } from "./contractReader.ts";
import { completeContract, type DeployedWasm, type WasmDeployContext } from "./deployedState.ts";
import { planInstantiate } from "./deployWasm.ts";
import { identifyContract } from "./identifyContract.ts";
import { parseFailure } from "./parseFailure.ts";
import { hasChecksum, requireInstantiable, storeCode } from "./storedCode.ts";
import type { MigrateMsg } from "./vipScoreTypes.generated.ts";
import { addressOf, parseContractAddress, wasmAccountBytes } from "./wasmAddress.ts";
import { readWasmArtifact, vipScoreFile } from "./wasmArtifact.ts";
import { msgMigrateContract } from "./wasmMessages.ts";

/**
 * `initStage` is the stage that the contract started with; the upgrade refuses a contract that started with another one. `members`
 * replace those of a reference contract, however many those are; without any named, its members are kept, at most 1,000. Further
 * members of a contract that is ours already. The admin owns an upgraded reference contract.
 */
export interface UpgradeWasmParameters extends ReadWasmChainIdParameters, DeployParameters {
  /** Pays for the upgrade; must be the contract's admin. */
  readonly account: CosmosAccount;
  /** Address of the contract: bech32 or hex. */
  readonly address: string;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
}

/** The transaction may use more gas than its simulation: the state can change in between. */
const gasMargin = { times: 13n, per: 10n };

/**
 * Migrates a reference contract to the code of this package, or a contract to an artifact. Its address, stages and scores are kept, with at most 20,000 scores
 * in the open stage. A second run sends nothing.
 *
 * @throws VipError `CHAIN_MISMATCH`; `CONTRACT_NOT_FOUND` if the address has no scoring contract; `PERMISSION_DENIED`
 * if `account` is not its admin; `INIT_STAGE_SET` if it started at another stage; ExecutionError; BroadcastError;
 * NodeError, also when the contract would refuse; the signal's reason when aborted.
 * @example
 * await upgradeWasm({ rpcUrl, account: admin, address: "init1…", initStage: stage(1n) });
 */
export async function upgradeWasm(parameters: UpgradeWasmParameters): Promise<DeployedWasm> {
  const { account, initStage, signal, inclusionTimeoutMs, onEvent } = parameters;
  const { members, finalizer, owner } = readRoles(parameters, wasmAccountBytes);
  const address = parseContractAddress(parameters.address);
  const gasPrice = parameters.gasPrices === undefined ? undefined : parseGasPrice(parameters.gasPrices);
  const code = await readWasmArtifact(parameters.artifact ?? vipScoreFile);
  requireRoles(code.features, { finalizer, owner });
  const comet = openJsonRpc(parameters.rpcUrl);
  const rest = restOverRpc(comet);
  const chainId = await checkChainId(rest, { ...parameters, needsReceipts: true });
  const reader = { comet, address };
  const transport = openTransport(rest, parseFailure);
  // What to send depends on the current state, so read the newest that any node behind the endpoint has.
  const found = { height: await newestShown(transport.heights, { signal }), signal };
  const facts = await identifyContract(reader, found);
  const signer = new TransactionSigner(rest, { chainId, account, gasPrice });
  const sender = openSender({ ...transport, signer });
  checkInitStage(address, await stateOf(reader, facts.features).getInitStage(found), initStage);
  const { simulate } = transport;
  const context = { address, account, signer, sender, simulate, onEvent, inclusionTimeoutMs, signal };

  const { codeId: present = 0n, admin = "" } = (await findContract(reader, found)) ?? {};
  let migrated: StepOutcome | undefined;
  if (await hasChecksum(comet, present, code, found)) {
    reportUnchanged(context, { step: "migrate", codeId: present });
  } else {
    checkAdmin(context, admin);
    const codeId = await storeCode(comet, context, code, found);
    // Nothing else shows before a migration that the code is not a game's.
    const salt = createHash("sha256").update(address).digest();
    const { message } = planInstantiate({ account, initStage }, { codeId, label: "vip_score", salt });
    await requireInstantiable(context, message);
    // A list would replace the members of a contract that is ours, to which these are added.
    const replaced = facts.features.roles ? [] : members;
    const step = await planMigrate(rest, transport.heights, context, { codeId, members: replaced });
    migrated = await runDeployStep(context, step);
  }
  const state = await completeContract(
    reader,
    context,
    { initStage, members, finalizer, owner },
    {
      height: migrated?.height ?? found.height,
      isNew: migrated !== undefined,
      creator: undefined,
      features: code.features,
    },
  );
  const transaction = migrated && { hash: migrated.hash, height: migrated.height, gasUsed: migrated.gasUsed };
  return { address, chainId, transaction, ...state };
}

function checkInitStage(address: string, first: Stage, initStage: Stage): void {
  if (first === initStage) return;
  throw new VipError(`the contract at ${address} started at stage ${first}, not at ${initStage}`, {
    code: "INIT_STAGE_SET",
    metaMessages: ["Check that this is the contract you mean. Nothing was sent."],
  });
}

function checkAdmin({ address, account }: WasmDeployContext, admin: string): void {
  if (admin === account.address) return;
  const [who, hint] =
    admin === ""
      ? ["it has no admin", "Nobody can ever replace its code."]
      : [`its admin is ${admin}`, "Sign with the admin's key."];
  throw new VipError(`${account.address} may not upgrade ${address}: ${who}`, {
    code: "PERMISSION_DENIED",
    metaMessages: [`${hint} Nothing was sent.`],
  });
}

/** Plans the migration. Its gas depends on the contract's data, so the node simulates it. */
async function planMigrate(
  rest: RestClient,
  heights: MonotonicHeight,
  context: WasmDeployContext & { readonly signer: TransactionSigner },
  { codeId, members }: { readonly codeId: bigint; readonly members: readonly Account[] },
): Promise<DeployStep<CosmosMessage>> {
  const { address, account, signer, signal } = context;
  const migrate: MigrateMsg = members.length === 0 ? {} : { allow_list: members.map(addressOf) };
  const { address: sender } = account;
  const message = msgMigrateContract({ sender, contract: address, codeId, msg: JSON.stringify(migrate) });
  const used = await simulatePatiently(context, async () => {
    const sequence = await signer.readSequence({ signal });
    const { bytes } = await signer.sign(message, { sequence, gas: 0n, signal });
    const height = await heights.getHeight({ signal });
    return simulateGas(rest, Buffer.from(bytes).toString("base64"), { height, signal });
  });
  return { subject: { step: "migrate", codeId }, message, gas: (used * gasMargin.times) / gasMargin.per };
}

/**
 * Retries the simulation until it succeeds. A lagging node has neither the code that was just stored nor the account's
 * sequence, and refuses as a contract does, so a refusal counts only if it lasts for ten seconds.
 */
async function simulatePatiently({ signal }: WasmDeployContext, simulate: () => Promise<bigint>): Promise<bigint> {
  let refusal: RestError | undefined;
  const used = await pollUntil(
    async () => {
      try {
        return await simulate();
      } catch (error) {
        if (!(error instanceof RestError)) throw error;
        refusal = error;
        return undefined;
      }
    },
    { timeoutMs: patienceMs.behind, signal },
  );
  if (used === undefined) throw refusal;
  return used;
}
