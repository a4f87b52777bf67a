import { CheckError, formatBech32, type Account } from "@vipscore/core";
import { absentIf, isNotFound, openRest, type Answer } from "@vipscore/core/wire";

export interface CheckOperatorOptions {
  /** REST endpoint of L1. */
  readonly l1RestUrl: string;
  readonly operator: Account;
  readonly signal?: AbortSignal | undefined;
}

/** The kinds of accounts that no key belongs to. */
const withoutKey: ReadonlySet<string> = new Set([
  "/cosmos.auth.v1beta1.ModuleAccount",
  "/initia.move.v1.ObjectAccount",
  "/initia.move.v1.TableAccount",
]);

/**
 * Checks that the operator is an account of L1 that can sign, because only it claims the operator's rewards.
 *
 * @throws CheckError `OPERATOR_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function checkOperator({ l1RestUrl, operator, signal }: CheckOperatorOptions): Promise<void> {
  const rest = openRest(l1RestUrl, { title: "REST URL of L1" });
  const shown = formatBech32(operator);
  const kind = await absentIf(isNotFound, rest.get(`/cosmos/auth/v1beta1/accounts/${shown}`, readKind, { signal }));
  if (kind === undefined) {
    throw invalid(
      `the operator ${shown} is not an account of L1`,
      "Send it some of L1's coins first, or name another.",
    );
  }
  if (withoutKey.has(kind)) {
    throw invalid(
      `no key belongs to the operator ${shown}, a ${kind.split(".").at(-1)}`,
      "Name an account that signs.",
    );
  }
}

function invalid(message: string, hint: string): CheckError {
  return new CheckError(message, { code: "OPERATOR_INVALID", metaMessages: [hint] });
}

function readKind(answer: Answer): string {
  return answer.field("account").field("@type").text();
}
