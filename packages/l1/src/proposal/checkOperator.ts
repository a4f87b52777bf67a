import { CheckError, formatBech32, type Account } from "@vipscore/core";
import { absentIf, isNotFound, type Answer } from "@vipscore/core/wire";
import { openL1, type L1Options } from "../vip/openVip.ts";

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
 * @throws CheckError `OPERATOR_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function checkOperator({ operator, ...l1 }: CheckOperatorOptions): Promise<void> {
  const { rest, at } = openL1(l1);
  const address = formatBech32(operator);
  const bytes = (operator.length - 2) / 2;
  const shown = bytes === keyAddressBytes ? `the operator ${address}` : `the operator, an address of ${bytes} bytes,`;
  const type = await absentIf(isNotFound, rest.get(`/cosmos/auth/v1beta1/accounts/${address}`, readType, at));
  if (type !== undefined && !withKey.has(type)) {
    throw invalid(`${shown} is a ${type.split(".").at(-1)}, which no key signs for`, "Name an account that signs.");
  }
  if (bytes !== keyAddressBytes) {
    throw invalid(`${shown} cannot sign`, `Name an account that signs: its address has ${keyAddressBytes} bytes.`);
  }
  if (type === undefined) {
    throw invalid(`${shown} is not an account of L1`, "Send it some of L1's coins first, or name another.");
  }
}

function invalid(message: string, hint: string): CheckError {
  return new CheckError(message, { code: "OPERATOR_INVALID", metaMessages: [hint] });
}

function readType(answer: Answer): string {
  return answer.field("account").field("@type").text();
}
