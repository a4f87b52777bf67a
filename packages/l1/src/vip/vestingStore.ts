import type { Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { bcsAddress, bcsBytes } from "../bcs/bcsType.ts";
import type { VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { findEntry, readHandle } from "./tables.ts";

/** Whose claims L1's module `vesting` keeps: those of an account, or of the operator of a registration. */
export interface Claimant extends Pick<VipBridge, "bridgeId" | "version"> {
  /** Undefined for the operator. */
  readonly account?: Account;
}

/** Claims of a registration. */
export interface VestingStore {
  /** 0 if none was claimed yet. */
  readonly lastClaimedStage: bigint;
  /** Handle of the table of rewards that are not paid out. */
  readonly vestings: string;
}

/** Reads the claims of an account or an operator; undefined before the first claim. */
export async function findVestingStore(reader: VipReader, claimant: Claimant): Promise<VestingStore | undefined> {
  const { rest, vip, at } = reader;
  const table = claimant.account === undefined ? "operator_vestings" : "user_vestings";
  const readTable = (answer: Answer): string =>
    readHandle(answer.field("resource").field("move_resource").json().field("data").field(table));
  const handle = await rest.get(`/initia/move/v1/accounts/${vip.address}/resources/by_struct_tag`, readTable, {
    ...at,
    query: { struct_tag: `${vip.address}::vesting::ModuleStore` },
  });
  return findEntry(reader, handle, keyOf(claimant), (value) => ({
    lastClaimedStage: value.field("last_claimed_stage").u64(),
    vestings: readHandle(value.field("vestings")),
  }));
}

/** A key of the tables: two numbers in big-endian order, and the account, 0x0 for the operator. */
function keyOf({ bridgeId, version, account }: Claimant): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64BE(bridgeId);
  numbers.writeBigUInt64BE(version, 8);
  return bcsBytes.encode(
    Buffer.concat([numbers, account === undefined ? Buffer.alloc(32) : bcsAddress.encode(account)]),
  );
}
