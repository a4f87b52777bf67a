import { formatBech32, VipError, type Account } from "@vipscore/core";
import { isNotFound, undefinedIf, type Answer } from "@vipscore/core/wire";
import { bcsBytes, formatRatio, ratioOne } from "../bcs/bcsType.ts";
import {
  findEntry,
  openL1,
  openVip,
  pairKey,
  readHandle,
  readRatio,
  readStoreOf,
  type L1Options,
  type VipOptions,
} from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
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
 * @throws VipError `BRIDGE_NOT_REGISTERED`; InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason
 * when aborted.
 */
export async function readVipOperator(options: ReadVipOperatorOptions): Promise<VipOperator> {
  const { bridgeId, version } = options;
  const reader = await openVip(options);
  const operators = await readStoreOf(reader, "operator", (data) => readHandle(data.field("operator_infos")));
  const found = await findEntry(reader, operators, bcsBytes.encode(pairKey(bridgeId, version)), readOperator);
  if (found !== undefined) return found;
  throw new VipError(`L1 has no operator of bridge ${bridgeId}, version ${version}`, {
    code: "BRIDGE_NOT_REGISTERED",
  });
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

/**
 * Checks the commission of a new registration as L1 does: no rate above 1, and the rate at most the maximum.
 *
 * @throws VipError `COMMISSION_INVALID`.
 */
export function checkCommission({ maxRate, maxChangeRate, rate }: Commission): void {
  const rates = { "maximum commission": maxRate, "maximum change of the commission": maxChangeRate, commission: rate };
  for (const [name, value] of Object.entries(rates)) {
    if (value > ratioOne) throw invalidCommission(`the ${name} ${formatRatio(value)} is above 1`);
  }
  checkMaximum(rate, maxRate);
}

/**
 * Checks a change of an operator's commission as L1 does: at most the maximum, not too far from the last rate, and not twice
 * in a stage.
 *
 * @param stage - L1's current stage.
 * @throws VipError `COMMISSION_INVALID`.
 */
export function checkCommissionChange(
  { commission, lastChangedStage }: VipOperator,
  rate: bigint,
  stage: bigint,
): void {
  if (stage <= lastChangedStage) {
    throw invalidCommission(
      `the commission was set in stage ${lastChangedStage}, and L1 is still in it`,
      "Wait for the next stage.",
    );
  }
  if (rate === commission.rate) {
    throw invalidCommission(
      `the commission is ${formatRatio(rate)} already`,
      "A transaction would use up this stage's change for nothing.",
    );
  }
  checkMaximum(rate, commission.maxRate);
  const change = rate > commission.rate ? rate - commission.rate : commission.rate - rate;
  if (change <= commission.maxChangeRate) return;
  const most = formatRatio(commission.maxChangeRate);
  throw invalidCommission(
    `the commission would change from ${formatRatio(commission.rate)} to ${formatRatio(rate)}, by more than ${most}`,
    "Change it in several stages.",
  );
}

function checkMaximum(rate: bigint, maxRate: bigint): void {
  if (rate <= maxRate) return;
  throw invalidCommission(`the commission ${formatRatio(rate)} is above its maximum ${formatRatio(maxRate)}`);
}

function invalidCommission(message: string, ...metaMessages: readonly string[]): VipError {
  return new VipError(message, { code: "COMMISSION_INVALID", metaMessages });
}

export interface CheckOperatorOptions extends L1Options {
  readonly operator: Account;
}

/** The types of accounts that a key can belong to; other modules' accounts, such as OPinit's `BridgeAccount`, have none. */
const withKey: ReadonlySet<string> = new Set([
  "/cosmos.auth.v1beta1.BaseAccount",
  "/cosmos.vesting.v1beta1.ContinuousVestingAccount",
  "/cosmos.vesting.v1beta1.DelayedVestingAccount",
  "/cosmos.vesting.v1beta1.PeriodicVestingAccount",
  "/cosmos.vesting.v1beta1.PermanentLockedAccount",
]);

/** Bytes of an address that is derived from a key. */
const keyAddressBytes = 20;

/**
 * Checks that the operator is an account of L1 that can sign, because only it claims the operator's rewards and hands its
 * role over: an address of 20 bytes, of a type that a key can belong to. Messages repeat only such an address, because one of
 * 32 bytes looks like a private key.
 *
 * @throws VipError `OPERATOR_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function checkOperator({ operator, ...l1 }: CheckOperatorOptions): Promise<void> {
  const { rest, at } = openL1(l1);
  const address = formatBech32(operator);
  const bytes = (operator.length - 2) / 2;
  const shown = bytes === keyAddressBytes ? `the operator ${address}` : `the operator, an address of ${bytes} bytes,`;
  const invalid = (problem: string, hint: string): VipError =>
    new VipError(`${shown} ${problem}`, { code: "OPERATOR_INVALID", metaMessages: [hint] });
  const readType = (answer: Answer): string => answer.field("account").field("@type").text();
  const type = await undefinedIf(isNotFound, rest.get(`/cosmos/auth/v1beta1/accounts/${address}`, readType, at));
  if (type !== undefined && !withKey.has(type)) {
    throw invalid(`is a ${type.split(".").at(-1)}, which no key signs for`, "Name an account that signs.");
  }
  if (bytes !== keyAddressBytes) {
    throw invalid("cannot sign", `Name an account that signs: its address has ${keyAddressBytes} bytes.`);
  }
  if (type === undefined) {
    throw invalid("is not an account of L1", "Send it some of L1's coins first, or name another.");
  }
}
