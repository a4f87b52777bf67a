import { InputError, VipError, type ContractIdentity, type Hint } from "@vipscore/core";
import { formatTime, group } from "@vipscore/core/values";
import type { VipOptions } from "./openVip.ts";
import { bridgesOf, registrationAt, registrationsOf, type VipBridge, type VipBridges } from "./readVipBridges.ts";
import { challengeEnd, readVipSnapshot, type VipSnapshot } from "./readVipSnapshot.ts";
import type { VipStage } from "./readVipStage.ts";
import { readSnapshotStages } from "./snapshotStages.ts";

/** The bridge to find, by its ID or else the rollup's contract, and the stage whose registration matters. */
export interface WantedRegistration {
  readonly bridgeId: bigint | undefined;
  readonly contract: ContractIdentity | undefined;
  readonly stage: bigint;
}

/**
 * Finds the registration to which a stage of a rollup belongs, or its newest one if L1 takes the stage for none. Warns if
 * the rollup is no longer registered, or the registration names another contract.
 *
 * @throws VipError `BRIDGE_NOT_REGISTERED` if there is no such bridge; InputError `CONFIG_INVALID` if there are several.
 */
export function findBridge(
  registered: VipBridges,
  wanted: WantedRegistration,
): { readonly bridge: VipBridge; readonly warnings: readonly string[] } {
  const { contract, stage } = wanted;
  const bridgeId = wanted.bridgeId ?? onlyBridgeOf(contract, registered);
  const ofBridge = registrationsOf(registered, bridgeId);
  const newest = ofBridge.at(-1);
  if (newest === undefined) {
    throw new VipError(`bridge ${bridgeId} is not registered with VIP on ${registered.chainId}`, {
      code: "BRIDGE_NOT_REGISTERED",
      metaMessages: [`Registered bridges: ${listIds(registered.bridges)}.`],
    });
  }
  const warnings: string[] = [];
  if (wanted.bridgeId === undefined) {
    warnings.push(
      `bridge ${bridgeId} was found by its contract's address alone, which a contract of another rollup can have too`,
    );
  }
  if (newest.endStage !== undefined) {
    warnings.push(`bridge ${bridgeId} is no longer registered with VIP: its last stage is ${newest.endStage}`);
  }
  const bridge = registrationAt(ofBridge, stage) ?? newest;
  if (contract !== undefined && bridgesOf([bridge], contract).length === 0) {
    warnings.push(
      `VIP reads the scores of bridge ${bridgeId}, version ${bridge.version}, from ${bridge.scoreContract}, which is another contract`,
    );
  }
  return { bridge, warnings };
}

function onlyBridgeOf(contract: ContractIdentity | undefined, { chainId, bridges, ended }: VipBridges): bigint {
  const all = [...ended, ...bridges];
  const named = contract === undefined ? [] : bridgesOf(all, contract);
  const [bridgeId, ...others] = new Set(named.map((bridge) => bridge.bridgeId));
  if (bridgeId !== undefined && others.length === 0) return bridgeId;
  const address = contract?.address ?? "";
  const known = listIds(bridgeId === undefined ? all : named);
  throw bridgeId === undefined
    ? new VipError(`no rollup with the contract ${address} is registered with VIP on ${chainId}`, {
        code: "BRIDGE_NOT_REGISTERED",
        metaMessages: [
          all.length === 0
            ? { code: "propose-registration", text: "A proposal can register it." }
            : { code: "name-bridge", known, text: `Name its bridge, or check the contract. Known are ${known}.` },
        ],
      })
    : new InputError(`several bridges of ${chainId} have a contract ${address}: ${known}`, {
        code: "CONFIG_INVALID",
        metaMessages: [{ code: "choose-bridge", text: "Name the one of this rollup." }],
      });
}

const maxListed = 20;

function listIds(bridges: readonly VipBridge[]): string {
  const ids = [...new Set(bridges.map(({ bridgeId }) => bridgeId.toString()))];
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : "";
  return ids.length === 0 ? "none" : `${ids.slice(0, maxListed).join(", ")}${more}`;
}

/** The root and total of a stage, to compare with L1's. */
export interface ComputedSnapshot {
  readonly stage: bigint;
  /** Undefined without leaves. */
  readonly root: string | undefined;
  readonly total: bigint;
}

/** A stage's rollup on L1. */
export interface RollupOnL1 {
  readonly options: VipOptions;
  /** The registration to which the stage belongs. */
  readonly bridge: VipBridge;
  readonly current: VipStage;
}

/** L1's data of a stage, beside a snapshot computed here. */
export interface SnapshotComparison extends RollupOnL1 {
  readonly status: "matches" | "differs" | "removed" | "notThereYet";
  readonly onL1: VipSnapshot | undefined;
  /** Of a removed snapshot: the newest stage that has one. */
  readonly newest?: bigint;
}

/**
 * Compares a snapshot with the one on L1. Without leaves, only the total counts: L1 stores some root, which nobody needs.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function compareSnapshot(found: RollupOnL1, computed: ComputedSnapshot): Promise<SnapshotComparison> {
  const { bridge, current } = found;
  const options = { ...found.options, ...bridge };
  const onL1 = await readVipSnapshot({ ...options, stage: computed.stage });
  if (onL1 !== undefined) return { status: isSame(onL1, computed) ? "matches" : "differs", onL1, ...found };
  const isTaken = computed.stage < current.stage && registrationAt([bridge], computed.stage) !== undefined;
  const { newest } = isTaken ? await readSnapshotStages(options) : { newest: 0n };
  return newest > computed.stage
    ? { status: "removed", onL1, newest, ...found }
    : { status: "notThereYet", onL1, ...found };
}

/** True if L1's snapshot is the computed one. */
export function isSame(onL1: VipSnapshot, { root, total }: ComputedSnapshot): boolean {
  return onL1.total === total && (root === undefined || root === onL1.root);
}

/** The line about L1, for people. */
export function comparisonText(
  { status, onL1, newest, bridge, current }: SnapshotComparison,
  { stage }: Pick<ComputedSnapshot, "stage">,
): string {
  const { bridgeId, version, initStage, endStage } = bridge;
  const registration = `bridge ${bridgeId}, version ${version}`;
  if (onL1 !== undefined) return `${status}, submitted ${formatTime(onL1.createdAt)} for ${registration}`;
  if (newest !== undefined) return `removed by a challenge: ${registration} has the snapshot of stage ${newest}`;
  if (stage < initStage)
    return `not there yet, and never will be: the first stage that L1 expects of ${registration} is ${initStage}`;
  if (endStage !== undefined && stage > endStage)
    return `not there yet, and never will be: the last stage that L1 takes of ${registration} is ${endStage}`;
  if (stage >= current.stage) return `not there yet: L1 is at stage ${current.stage}`;
  return "not there yet: VIP's agent submits it some time after the stage is finalized";
}

/** @throws VipError `SNAPSHOT_DIFFERS` if the comparison says so, or that a challenge removed the snapshot. */
export function requireMatch(
  { status, onL1, newest, bridge, current }: SnapshotComparison,
  computed: ComputedSnapshot,
): void {
  if (newest !== undefined) {
    throw new VipError(removedText(computed.stage, newest), { code: "SNAPSHOT_DIFFERS", metaMessages: [awaitAgent] });
  }
  if (status !== "differs" || onL1 === undefined) return;
  throw new VipError(differsText(computed.stage), {
    code: "SNAPSHOT_DIFFERS",
    metaMessages: [
      `L1   root ${onL1.root === "" ? "empty" : onL1.root}, total ${group(onL1.total)}, submitted ${formatTime(onL1.createdAt)}`,
      `here root ${computed.root ?? "none"}, total ${group(computed.total)}`,
      onL1.total === computed.total
        ? "The totals are equal: single scores differ, or VIP's agent builds its tree in another way."
        : "The totals differ: VIP's agent read other scores than these.",
      challengeHint(onL1, computed.stage, { bridge, current }),
    ],
  });
}

/** Says that users cannot claim a stage. */
export function differsText(stage: bigint): string {
  return `L1's snapshot of stage ${stage} does not match the contract's scores`;
}

/** Says whether governance can still challenge a snapshot. */
export function challengeHint(
  onL1: VipSnapshot,
  stage: bigint,
  { bridge, current }: Pick<RollupOnL1, "bridge" | "current">,
): string | Hint {
  if (bridge.endStage !== undefined) return "Its registration has ended, so governance can no longer challenge it.";
  const end = challengeEnd(onL1, current);
  const until = formatTime(end);
  if (end <= current.time) return `The challenge period ended at ${until}.`;
  return { code: "challenge", stage, text: `Governance on L1 can challenge the snapshot until ${until}` };
}

/** Says that a challenge removed the snapshot of a stage, for a reader who thinks that the agent is late. */
export function removedText(stage: bigint, newest: bigint): string {
  return `L1 has no snapshot of stage ${stage}, though it has that of stage ${newest}: a challenge removed it, and L1 refuses each claim that includes the stage`;
}

export const awaitAgent =
  "Claim once VIP's agent has submitted it again. Ask those who run the agent: L1's ModuleStore names its api_uri.";
