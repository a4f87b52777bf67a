import { VipError, type WaitOptions } from "@vipscore/core";
import {
  artifactRefused,
  lastingAnswer,
  newestShown,
  openSender,
  runDeployStep,
  type DeployContext,
  type DeployStep,
} from "@vipscore/core/engine";
import { isNotFound, undefinedIf } from "@vipscore/core/wire";
import {
  checkChainId,
  openTransport,
  parseGasPrice,
  TransactionSigner,
  type CosmosAccount,
  type CosmosMessage,
  type Transport,
} from "@vipscore/cosmos";
import { openNode, type ReadMoveChainIdParameters } from "./chainFacts.ts";
import { readErrorConstants } from "./errorConstants.ts";
import type { UpgradePolicy } from "./moduleStore.ts";
import { accountOfAddress } from "./moveAddress.ts";
import { readModules, type ModuleNames } from "./moveArtifact.ts";
import { msgPublish } from "./moveMessages.ts";
import { parseFailure } from "./parseFailure.ts";

/** What is the same for everything that an account publishes. */
export interface PublisherParameters extends ReadMoveChainIdParameters, Pick<WaitOptions, "inclusionTimeoutMs"> {
  /** Pays and publishes: the modules get its address. */
  readonly account: CosmosAccount;
  /** Changes that a later publish may make. Default: `compatible`: it may add functions, and stored data stays readable. */
  readonly upgradePolicy?: UpgradePolicy | undefined;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
}

export interface PublishModulesParameters extends PublisherParameters {
  /** A compiled module, a folder of them, or the folder of a Move package that was built. */
  readonly artifact: string;
}

/**
 * Publishes compiled modules, or replaces those of the same names as far as the chain allows that.
 *
 * @throws InputError `FILE_UNREADABLE` or `INPUT_INVALID` for modules that are not compiled for the account or that the chain
 * refuses; VipError
 * `CHAIN_MISMATCH`; `CONTRACT_NOT_FOUND` for a module that they call and the chain does not have; ExecutionError;
 * BroadcastError; NodeError; the signal's reason when aborted.
 */
export async function publishModules(parameters: PublishModulesParameters): Promise<{
  readonly modules: readonly string[];
  readonly hash: string;
  readonly height: bigint;
  readonly gasUsed: bigint;
}> {
  const { account, artifact, upgradePolicy = "compatible" } = parameters;
  const modules = await readModules(artifact, account.account);
  const { context, ...publisher } = await openPublisher(parameters, artifact);
  await requireUsed(publisher, modules, parameters);
  const codes = modules.map(({ code }) => code);
  const step = publishStep(account.address, codes, { step: "publish", upgradePolicy });
  await requireAccepted(publisher, step, parameters);
  const { hash, height, gasUsed } = await runDeployStep(context, { ...step, gas: step.gas + initGas });
  return { modules: modules.map(({ name }) => name), hash, height, gasUsed };
}

/** Refuses modules that the chain would not link: it takes the fee of a transaction that fails so. */
async function requireUsed(
  { rest, heights }: Pick<Publisher, "rest" | "heights">,
  modules: readonly ModuleNames[],
  { account: { account: own }, artifact, signal }: PublishModulesParameters,
): Promise<void> {
  // A node that is behind may lack what was just published.
  const height = await newestShown(heights, { signal });
  const known = new Set(modules.map(({ name }) => `${own}::${name}`));
  const missing: string[] = [];
  for (const { address, name } of modules.flatMap(({ uses }) => uses)) {
    const account = accountOfAddress(address.toString("hex"));
    const id = `${account}::${name}`;
    if (known.has(id)) continue;
    known.add(id);
    const asked = rest.get(`/initia/move/v1/accounts/${account}/modules/${name}`, () => true, { height, signal });
    if ((await undefinedIf(isNotFound, asked)) === undefined) missing.push(id);
  }
  if (missing.length === 0) return;
  throw new VipError(`${artifact} cannot be published: the chain does not have ${missing.join(", ")}, which it calls`, {
    code: "CONTRACT_NOT_FOUND",
    metaMessages: [{ code: "publish-first", text: "Publish that first. Nothing was sent." }],
  });
}

/** Refuses what the chain would refuse for a fee, such as an `init_module` that aborts, once nodes have had time to catch up. */
async function requireAccepted(
  { simulate }: Pick<Publisher, "simulate">,
  { message }: DeployStep<CosmosMessage>,
  { account, artifact, signal }: PublishModulesParameters,
): Promise<void> {
  const answer = await lastingAnswer(() => simulate(message, { from: account.account, signal }), { signal });
  if (answer.state === "refused") throw artifactRefused(artifact, `the chain refuses it: ${answer.details}`);
}

interface Publisher {
  readonly rest: ReturnType<typeof openNode>;
  readonly chainId: string;
  readonly heights: Transport["heights"];
  readonly simulate: Transport["simulate"];
  readonly context: Omit<DeployContext<CosmosMessage>, "onEvent">;
}

/** Opens the chain and its account for publishing. @param artifact Sources in this folder name the aborts of its modules. */
export async function openPublisher(parameters: PublisherParameters, artifact?: string): Promise<Publisher> {
  const { account, inclusionTimeoutMs, signal } = parameters;
  const gasPrice = parameters.gasPrices === undefined ? undefined : parseGasPrice(parameters.gasPrices);
  const rest = openNode(parameters);
  const chainId = await checkChainId(rest, { ...parameters, needsReceipts: true });
  const signer = new TransactionSigner(rest, { chainId, account, gasPrice });
  const constants = artifact === undefined ? [] : await readErrorConstants(artifact, account.account);
  const transport = openTransport(rest, (refusal) => parseFailure(refusal, constants));
  const { heights, simulate } = transport;
  const sender = openSender({ ...transport, signer });
  const context = { address: account.account, signer, sender, inclusionTimeoutMs, signal };
  return { rest, chainId, heights, simulate, context };
}

/**
 * Upper bounds of the gas to publish: a base and an amount per byte of the module. Measured: 307,220 for 3,677 bytes on
 * minimove, 475,655 for 6,436 bytes on vipnode.
 */
const publishBaseGas = 120_000n;
const publishByteGas = 75n;

/** Room for the modules' own `init_module`. Measured on vipnode: 265,000 in all for a small one that mints a first token. */
const initGas = 1_000_000n;

/** Returns the step that publishes modules. @param sender The publisher in bech32. */
export function publishStep(
  sender: string,
  codes: readonly Buffer[],
  subject: { readonly step: "publish" | "upgrade" | "seal"; readonly upgradePolicy: UpgradePolicy },
): DeployStep<CosmosMessage> {
  const bytes = codes.reduce((sum, code) => sum + code.length, 0);
  return {
    subject,
    message: msgPublish(sender, codes, subject.upgradePolicy),
    gas: publishBaseGas + publishByteGas * BigInt(bytes),
  };
}
