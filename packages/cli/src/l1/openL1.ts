import { InputError, VipError, type ScoreContract, type Stage, type StageState } from "@vipscore/core";
import { nodeFileName } from "@vipscore/core/nodeFile";
import { formatTimeBetween } from "@vipscore/core/values";
import {
  checkBridgeExists,
  checkRollupBridge,
  checkStageToWrite,
  findBridge,
  readBridgeInfo,
  readVipBridges,
  readVipStage,
  readVoteRules,
  rewardDenomOf,
  type RollupBridge,
  type RollupOnL1,
  type SnapshotComparison,
  type VipBridge,
  type VipBridges,
  type VipOptions,
  type VipStage,
  type WantedBridge,
  type WantedRegistration,
} from "@vipscore/l1";
import type { MoveAccount } from "@vipscore/move";
import { buildSnapshot, type Snapshot } from "@vipscore/snapshot";
import type { Context } from "../context.ts";
import { confirmAddress, findSigner, noSigner, type SignerFlags } from "../key/findSigner.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { printableText } from "../output/printable.ts";
import { identifyEndpoint, patienceMs } from "../rollup/endpoint.ts";
import { isDevice } from "../rollup/rollup.ts";
import { vipOptions, type L1Settings, type Settings } from "../settings/readSettings.ts";
import type { Setting } from "../settings/settings.ts";

/** Age of L1's newest block, in milliseconds, above which the endpoint counts as lagging. */
const staleAfterMs = 600_000;

/** Returns L1's active stage. Warns if the endpoint lags behind or sources disagree on the VIP module's address. */
export async function readL1Stage({ io, output, scrubber }: Context, l1: L1Settings): Promise<VipStage> {
  const { restUrl, vipAddress } = l1;
  scrubber.addUrl(restUrl.value);
  scrubber.addGiven(vipAddress?.value ?? "");
  const current = await readVipStage(vipOptions(l1, io.signal)).catch(async (error: unknown) => {
    throw (await findWrongProtocol(restUrl, error, io.signal)) ?? error;
  });
  const { chainId, vip, time } = current;
  if (!vip.isConfirmed) {
    output.warn(
      `sources disagree on the VIP module of ${chainId}; using ${vip.address}. Set --vip-address to use another.`,
    );
  }
  const now = new Date();
  const apart = now.getTime() - time.getTime();
  if (Math.abs(apart) > staleAfterMs) {
    const than = apart < 0 ? "ahead of" : "behind";
    output.warn(
      `the newest block of ${chainId} at this endpoint is ${formatTimeBetween(time, now)} ${than} this machine's clock: one of them is wrong`,
    );
  }
  return current;
}

/** Returns the error for an endpoint of L1 that has answered, and not as REST; undefined if it is REST or nothing is known of it. */
async function findWrongProtocol(
  { value, source }: Setting<string>,
  failure: unknown,
  signal: AbortSignal,
): Promise<InputError | undefined> {
  if (!VipError.isVipError(failure) || !["NODE_BAD_RESPONSE", "NODE_ERROR"].includes(failure.code)) return undefined;
  const found = await identifyEndpoint(value, { signal, patienceMs, vm: "move" }).catch(() => undefined);
  if (found === undefined || found.protocols.includes("REST")) return undefined;
  const { shown, protocols } = found;
  return new InputError(`${source}: ${shown} answers as ${protocols.join(" and ")}; L1's REST endpoint is needed`, {
    code: "CONFIG_INVALID",
    metaMessages: ["A node usually serves it on port 1317."],
    cause: failure,
  });
}

export async function findL1Stage(context: Context, { l1 }: Settings): Promise<VipStage | undefined> {
  return l1 === undefined ? undefined : readL1Stage(context, l1);
}

/**
 * Returns L1's active stage, which has to be the stage or a later one. Warns if L1 does not take the stage's scores from the
 * contract, where the rollup's bridge is known.
 */
export async function checkStageOnL1(
  context: Context,
  settings: Settings,
  { identity }: ScoreContract,
  stage: Stage,
): Promise<VipStage | undefined> {
  const { output, signal } = context;
  const { l1 } = settings;
  if (l1 === undefined) return undefined;
  const current = await readL1Stage(context, l1);
  output.warnAll(checkStageToWrite(current, stage));
  try {
    const own = await readRollupBridge(context, settings);
    if (own === undefined) return current;
    const { bridgeId } = own;
    const { initStage } = await findRegistration(
      context,
      { l1, current },
      { bridgeId, contract: identity, stage },
      own,
    );
    if (stage < initStage)
      output.warn(`L1 takes no scores of stage ${stage}: the first one of bridge ${bridgeId} is ${initStage}`);
  } catch (error) {
    if (signal.aborted || !VipError.isVipError(error)) throw error;
    output.warn(`L1 may not take these scores: ${error.shortMessage}`);
  }
  return current;
}

/** `L1 stage 12, ends in 3 d 4 h`. */
export function l1StageText({
  stage,
  endsAt,
  time,
  isOverdue,
}: Pick<VipStage, "stage" | "endsAt" | "time" | "isOverdue">): string {
  const until = formatTimeBetween(time, endsAt);
  if (stage === 0n) {
    return `L1 before its first stage, which ${endsAt < time ? `was due to start ${until} ago` : `starts in ${until}`}`;
  }
  return `L1 stage ${stage}, ${isOverdue ? `was due to end ${until} ago` : `ends in ${until}`}`;
}

export function l1StageJson(l1: VipStage | undefined) {
  if (l1 === undefined) return undefined;
  const { chainId, stage, startsAt, endsAt, isOverdue } = l1;
  return { chainId, stage, startsAt, endsAt, isOverdue };
}

/** Reads the bridge that the rollup itself names; undefined if no endpoint that names it is known, or it has no bridge yet. */
export async function readRollupBridge(
  { io, scrubber }: Context,
  { bridgeUrl }: Settings,
): Promise<RollupBridge | undefined> {
  if (bridgeUrl === undefined) return undefined;
  for (const url of Object.values(bridgeUrl)) scrubber.addUrl(url);
  return readBridgeInfo({ ...bridgeUrl, signal: io.signal });
}

/** Checks that the bridge is the rollup's, and exists on this L1. */
export async function checkBridge(
  context: Context,
  settings: Settings,
  { options, current }: Pick<L1Connection, "options" | "current">,
  wanted: Omit<WantedBridge, "l1ChainId">,
): Promise<void> {
  if (settings.bridgeUrl === undefined) {
    throw new InputError("the rollup's REST endpoint is not known, which names its bridge", {
      code: "CONFIG_INVALID",
      metaMessages: ["Name it with --rollup-rest-url or ROLLUP_REST_URL; a node usually serves it on port 1317."],
    });
  }
  const ofRollup = await readRollupBridge(context, settings);
  checkRollupBridge({ ...wanted, l1ChainId: current.chainId }, ofRollup);
  await checkBridgeExists({ ...options, bridgeId: wanted.bridgeId });
}

/** Finds the bridge on L1. Warns if the VIP module is unconfirmed, L1 is stale, or the bridge has another contract. */
export async function openL1(
  context: Context,
  l1: L1Settings,
  wanted: WantedRegistration,
  own?: RollupBridge,
): Promise<RollupOnL1> {
  const current = await readL1Stage(context, l1);
  const bridge = await findRegistration(context, { l1, current }, wanted, own);
  return { options: vipOptions(l1, context.signal), bridge, current };
}

async function findRegistration(
  { output, signal }: Context,
  { l1, current }: { readonly l1: L1Settings; readonly current: VipStage },
  wanted: WantedRegistration,
  own: RollupBridge | undefined,
): Promise<VipBridge> {
  if (own !== undefined) {
    checkRollupBridge({ bridgeId: wanted.bridgeId ?? own.bridgeId, l1ChainId: current.chainId }, own);
  }
  const { bridge, warnings } = findBridge(await readVipBridges(vipOptions(l1, signal)), wanted);
  // They repeat what the registration names.
  output.warnAll(warnings.map(printableText));
  return bridge;
}

/**
 * Finds the registration of a stage on L1, of the given bridge, which must be the rollup's own if that can be asked, or the one
 * that the rollup names, or the contract's; warns and returns undefined without an L1 endpoint.
 */
export async function findL1(
  context: Context,
  settings: Settings,
  { identity }: ScoreContract,
  { bridgeId, stage }: { readonly bridgeId?: bigint; readonly stage: bigint },
): Promise<RollupOnL1 | undefined> {
  const { l1 } = settings;
  if (l1 !== undefined) {
    const own = await readRollupBridge(context, settings);
    return openL1(context, l1, { bridgeId: bridgeId ?? own?.bridgeId, contract: identity, stage }, own);
  }
  context.output.warn("not compared with L1: set --l1-rest-url or L1_REST_URL");
  return undefined;
}

/** Finds the registration like {@link findL1}; warns what follows from there being none, unless its bridge was named. */
export async function findL1IfRegistered(
  context: Context,
  settings: Settings,
  contract: ScoreContract,
  wanted: { readonly bridgeId?: bigint; readonly stage: bigint },
  consequence: string,
): Promise<RollupOnL1 | undefined> {
  return findL1(context, settings, contract, wanted).catch((error: unknown) => {
    const isUnregistered = VipError.isVipError(error) && error.code === "BRIDGE_NOT_REGISTERED";
    if (!isUnregistered || wanted.bridgeId !== undefined) throw error;
    context.output.warn(`${consequence}: ${error.shortMessage}`);
    return undefined;
  });
}

export function comparisonJson(comparison: SnapshotComparison | undefined) {
  if (comparison === undefined) return undefined;
  const { status, bridge, current, onL1 } = comparison;
  return {
    status,
    chainId: current.chainId,
    vipAddress: current.vip.address,
    stage: current.stage,
    version: bridge.version,
    snapshot: onL1 && {
      root: onL1.root,
      total: onL1.total,
      createdAt: onL1.createdAt,
      updatedAt: onL1.updatedAt,
      height: onL1.height,
    },
  };
}

/** L1 as the commands that change a registration need it. */
export interface L1Connection extends Pick<VipBridges, "bridges" | "ended"> {
  readonly current: VipStage;
  readonly options: VipOptions;
  /** The token of the rewards. */
  readonly denom: string;
  readonly signer: MoveAccount | undefined;
}

export interface SignFlags extends SignerFlags {
  readonly sign?: boolean;
}

/** Reads L1 and, with `--sign`, opens the signer. */
export async function connectL1(
  context: Context,
  found: L1Settings | undefined,
  flags: SignFlags,
): Promise<L1Connection> {
  const { io, output } = context;
  const l1 = requireL1(found, "no L1 endpoint is set", "L1's");
  const current = await readL1Stage(context, l1);
  const options = vipOptions(l1, io.signal);
  const { bridges, ended } = await readVipBridges(options);
  const denom = rewardDenomOf(await readVoteRules(options));
  if (flags.sign !== true) return { current, options, bridges, ended, denom, signer: undefined };
  // L1 is a Move chain.
  const key = await findSigner(context, { vm: "move", onLocalNode: l1.restUrl.source === nodeFileName }, flags);
  if (key === undefined) throw noSigner();
  const { value, source } = key;
  const { moveAccount, moveAminoAccount } = await optionalPackage("@vipscore/move");
  const signer = isDevice(value) ? moveAminoAccount(value) : moveAccount(value);
  output.note(output.paintNote("dim", `signer    ${signer.address}  (${source})`));
  if (isDevice(value)) await confirmAddress(context, value, signer.address);
  return { current, options, bridges, ended, denom, signer };
}

export function requireL1(found: L1Settings | undefined, message: string, whose: string): L1Settings {
  if (found !== undefined) return found;
  throw new InputError(message, {
    code: "CONFIG_INVALID",
    metaMessages: [`Set ${whose} REST endpoint with --l1-rest-url, L1_REST_URL or l1RestUrl in vipscore.config.json.`],
  });
}

export function snapshotOf(state: StageState, stage: Stage, bridgeId: bigint): Snapshot {
  requireSum(state, stage);
  return buildSnapshot({ bridgeId, stage, rows: rowsOf(state), total: state.info.total });
}

export function requireSum({ info: { total }, scores }: StageState, stage: Stage): void {
  if (scores.total === total) return;
  throw new VipError(`the scores of stage ${stage} add up to ${scores.total}, the contract's total is ${total}`, {
    code: "VERIFY_MISMATCH",
    metaMessages: ["Rewards are paid by score and total, so they would not add up. Check the contract."],
  });
}

/** The rows of a stage, in the order in which they were read. */
export function* rowsOf({ scores }: StageState): Generator<{ readonly account: string; readonly score: bigint }> {
  for (const [account, score] of scores) yield { account, score };
}
