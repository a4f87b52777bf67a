import type { Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { findEntry, keyOf, openVip, readHandle, type L1Block, type VipOptions, type VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import type { VipStage } from "./readVipStage.ts";
import { readMoveAddress } from "./vipAddress.ts";

export interface ReadVipSnapshotOptions extends VipOptions, Pick<VipBridge, "bridgeId" | "version"> {
  readonly stage: bigint;
}

/** L1's record of a rollup's scores in a stage, submitted by VIP's agent. */
export interface VipSnapshot extends L1Block {
  /** When it was submitted. The challenge period starts here. */
  readonly createdAt: Date;
  /** When it last changed: a challenge can replace it. */
  readonly updatedAt: Date;
  /** Root of the Merkle tree in lower-case hex without `0x`; L1 takes bytes of any length, also none. */
  readonly root: string;
  /** Sum of all scores. */
  readonly total: bigint;
}

/**
 * Reads the snapshot of a stage from L1, at the height of the newest block.
 *
 * @returns undefined while L1 has none: VIP's agent submits it some time after the stage has ended and is finalized.
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 * @example
 * const snapshot = await readVipSnapshot({ l1RestUrl, bridgeId: 1n, version: 1n, stage: 12n });
 */
export async function readVipSnapshot(options: ReadVipSnapshotOptions): Promise<VipSnapshot | undefined> {
  const reader = await openVip(options);
  const stages = await reader.readModuleStore((data) => readHandle(data.field("stage_data")));
  return findSnapshot(reader, stages, options);
}

/** Finds the snapshot of a stage in the table of stages; undefined without one. */
export async function findSnapshot(
  reader: VipReader,
  stages: string,
  { bridgeId, version, stage }: Pick<ReadVipSnapshotOptions, "bridgeId" | "version" | "stage">,
): Promise<VipSnapshot | undefined> {
  const snapshots = await findEntry(reader, stages, keyOf(stage), (value) => readHandle(value.field("snapshots")));
  if (snapshots === undefined) return undefined;
  const key = Buffer.concat([keyOf(bridgeId), keyOf(version)]);
  const snapshot = await findEntry(reader, snapshots, key, readSnapshot);
  return snapshot === undefined ? undefined : { ...reader.block, ...snapshot };
}

function readSnapshot(value: Answer): Omit<VipSnapshot, keyof L1Block> {
  return {
    createdAt: value.field("create_time").unixTime(),
    updatedAt: value.field("upsert_time").unixTime(),
    root: readRoot(value.field("merkle_root")),
    total: value.field("total_l2_score").u64(),
  };
}

/** Bytes in hex: VMs of version 1.2 write `0x` before those of a table's value, but not before those of a view's answer. */
function readRoot(root: Answer): string {
  const [, digits] = /^(?:0x)?((?:[0-9a-f]{2})*)$/i.exec(root.text()) ?? [];
  return digits === undefined ? root.unreadable("bytes in hex") : digits.toLowerCase();
}

/**
 * Returns when the challenge period of a snapshot ends.
 *
 * @param current Has L1's challenge period.
 */
export function challengeEnd(
  { createdAt }: Pick<VipSnapshot, "createdAt">,
  { parameters }: Pick<VipStage, "parameters">,
): Date {
  return new Date(createdAt.getTime() + Number(parameters.challengePeriodSeconds) * 1000);
}

/** True until the challenge period of a snapshot is over, which L1 counts in whole seconds: it takes no claim before. */
export function isChallengeable(
  snapshot: Pick<VipSnapshot, "createdAt">,
  current: Pick<VipStage, "parameters" | "time">,
): boolean {
  return current.time.getTime() < challengeEnd(snapshot, current).getTime() + 1000;
}

/** What a challenge repeats or chooses: it names VIP's agent again, and has a number that no other challenge has. */
export interface ChallengeTerms {
  readonly agent: Account;
  /** Where the agent publishes its data. */
  readonly apiUri: string;
  /** A free number: L1's height, or the next one that is free. */
  readonly challengeId: bigint;
}

/**
 * Reads the terms of a challenge from L1, at the height of the newest block. `execute_challenge` sets VIP's agent, so a
 * challenge that is only about a snapshot names the present one.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readChallengeTerms(options: VipOptions): Promise<ChallengeTerms> {
  const reader = await openVip(options);
  const { challenges, ...agent } = await reader.readModuleStore((data) => ({
    agent: readMoveAddress(data.field("agent_data").field("agent")),
    apiUri: data.field("agent_data").field("api_uri").text(),
    challenges: readHandle(data.field("challenges")),
  }));
  let challengeId = reader.block.height;
  while ((await findEntry(reader, challenges, keyOf(challengeId), () => true)) !== undefined) challengeId += 1n;
  return { ...agent, challengeId };
}
