import { CheckError, type Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { parseRatio } from "../bcs/ratio.ts";
import { openVip, type VipOptions } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { findEntry, readHandle } from "./tables.ts";
import { readMoveAddress } from "./vipAddress.ts";

/** The share of the rewards that an operator keeps, as multiples of 10^-18. */
export interface Commission {
  readonly maxRate: bigint;
  /** The most that the rate can change in one stage. */
  readonly maxChangeRate: bigint;
  readonly rate: bigint;
}

/** L1's record of a rollup's operator. */
export interface VipOperator {
  readonly operator: Account;
  /** The stage in which the commission was last set; it cannot be set again in the same stage. */
  readonly lastChangedStage: bigint;
  readonly commission: Commission;
}

export interface ReadVipOperatorOptions extends VipOptions, Pick<VipBridge, "bridgeId" | "version"> {}

/**
 * Reads a rollup's operator and its commission (the resource `ModuleStore` of L1's module `operator`), at the height of the
 * newest block.
 *
 * @throws CheckError `BRIDGE_NOT_REGISTERED`; InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason
 * when aborted.
 */
export async function readVipOperator(options: ReadVipOperatorOptions): Promise<VipOperator> {
  const { bridgeId, version } = options;
  const reader = await openVip(options);
  const { address } = reader.vip;
  const handle = await reader.rest.get(`/initia/move/v1/accounts/${address}/resources/by_struct_tag`, readTable, {
    ...reader.at,
    query: { struct_tag: `${address}::operator::ModuleStore` },
  });
  const found = await findEntry(reader, handle, keyOf(bridgeId, version), readOperator);
  if (found !== undefined) return found;
  throw new CheckError(`L1 has no operator of bridge ${bridgeId}, version ${version}`, {
    code: "BRIDGE_NOT_REGISTERED",
  });
}

/** A key of the table: a BCS list of 16 bytes, two numbers in big-endian order. */
function keyOf(bridgeId: bigint, version: bigint): Buffer {
  const key = Buffer.alloc(17, 16);
  key.writeBigUInt64BE(bridgeId, 1);
  key.writeBigUInt64BE(version, 9);
  return key;
}

function readTable(answer: Answer): string {
  const resource = answer.field("resource").field("move_resource").json();
  return readHandle(resource.field("data").field("operator_infos"));
}

function readOperator(value: Answer): VipOperator {
  return {
    operator: readMoveAddress(value.field("operator_addr")),
    lastChangedStage: value.field("last_changed_stage").u64(),
    commission: {
      maxRate: readRatio(value.field("commission_max_rate")),
      maxChangeRate: readRatio(value.field("commission_max_change_rate")),
      rate: readRatio(value.field("commission_rate")),
    },
  };
}

function readRatio(field: Answer): bigint {
  return parseRatio(field.decimal()) ?? field.unreadable("a decimal number");
}
