import {
  CheckError,
  formatChecksummed,
  mayFinalize,
  planPush,
  readStage,
  ScoreTable,
  type PushPlan,
  type ScoreContract,
  type StageInfo,
} from "@vipscore/core";
import { count, formatTokens } from "@vipscore/core/values";
import { action, ok, skipped, warning, type Finding } from "./finding.ts";

type At = { readonly height: bigint; readonly signal: AbortSignal };

/** Pushes that the balance should cover, so that one price rise does not stop a stage. */
const coveredPushes = 3n;

/** Reports what the signer may do. */
export async function checkSigner(contract: ScoreContract, at: At): Promise<Finding> {
  const { signer } = contract;
  if (signer === undefined) {
    return skipped(
      "signer",
      "no key is set",
      "Set PRIVATE_KEY or MNEMONIC, or name an encrypted file with --keystore.",
    );
  }
  const [isMember, control] = await Promise.all([contract.isMember(signer, at), contract.getControl(at)]);
  const shown = formatChecksummed(signer);
  if (!isMember) {
    return action("signer", `${shown} may not write scores`, `With a member's key: vipscore members add ${shown}`);
  }
  if (mayFinalize(signer, isMember, control)) return ok("signer", `${shown} may write scores and finalize`);
  return ok("signer", `${shown} may write scores; ${formatChecksummed(control?.finalizer ?? signer)} finalizes`);
}

/** Compares the signer's balance with the cost of writing the last finalized stage's accounts into the open stage. */
export async function checkBalance(contract: ScoreContract, stages: readonly StageInfo[], at: At): Promise<Finding> {
  const open = stages.find(({ isFinalized }) => !isFinalized);
  const last = stages.findLast(({ isFinalized }) => isFinalized);
  if (contract.signer === undefined) return skipped("balance", "no key is set");
  const fees = await contract.getFees({ signal: at.signal });
  const balance = formatTokens(fees.balance, fees.token, "down");
  if (open === undefined || last === undefined) {
    return skipped("balance", `${balance}; no stage is finalized yet whose push it could be compared with`);
  }
  const { scores } = await readStage(contract, last.stage, { ...at, table: ScoreTable.from([]), info: last });
  const table = ScoreTable.from([...scores].map(([account, score]) => ({ account, score })));
  let plan: PushPlan;
  try {
    plan = await planPush(contract, open.stage, table, { prune: true, signal: at.signal });
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    return skipped("balance", `${balance}; the cost of a push is unknown: ${error.shortMessage}`);
  }
  const { price = 0n } = plan;
  const cost = `writing the ${count(table.size, "account")} of stage ${last.stage} into stage ${open.stage} costs up to ${formatTokens(price, fees.token, "up")}`;
  if (fees.balance < price)
    return action("balance", `${balance}; ${cost}`, `Fund ${formatChecksummed(contract.signer)}.`);
  if (fees.balance < price * coveredPushes) {
    return warning(
      "balance",
      `${balance}; ${cost}`,
      `Fund ${formatChecksummed(contract.signer)}: a price rise may stop a push.`,
    );
  }
  return ok("balance", `${balance}; ${cost}`);
}
