import type { Account, Stage } from "@vipscore/core";
import { addressOf } from "./wasmAddress.ts";

/**
 * Keys of the reference contract's store (recorded on miniwasm): `init_stage`; a map `stages` by u64; a map `scores` by
 * u64 and address; a map `allow_list` by address. A map's key starts with the length of its name in two bytes.
 */
export const initStageKey = Buffer.from("init_stage");

/** The common prefix of all members' keys. */
export const membersPrefix = mapKey("allow_list");

export function memberKey(account: Account): Buffer {
  return mapKey("allow_list", Buffer.from(addressOf(account)));
}

export function stageKey(stage: Stage): Buffer {
  return mapKey("stages", u64Key(stage));
}

export function scoreKey(stage: Stage, account: Account): Buffer {
  return mapKey("scores", u64Key(stage), Buffer.from(addressOf(account)));
}

function mapKey(name: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), ...parts]);
}

function u64Key(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
