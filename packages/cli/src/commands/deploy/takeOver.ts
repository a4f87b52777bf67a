import {
  InputError,
  listLastStages,
  planPush,
  readStageTable,
  verifyScores,
  VipError,
  type Account,
  type ScoreContract,
  type ScoreTable,
  type Stage,
  type Verification,
} from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { openJournal } from "../../contract/journal.ts";
import { sendPlan, type SendPlanOptions, type SentTransaction } from "../../contract/sendPlan.ts";
import { verificationJson } from "../../output/verification.ts";

/** A contract that replaces another one may do so because a key was stolen, so that its members do not finalize. */
export function requireFinalizer(finalizer: Account | undefined): void {
  if (finalizer !== undefined) return;
  throw new InputError("--from needs --finalizer: name the only account that may finalize the new contract's stages", {
    metaMessages: [
      "Members are not taken over: name each one that you trust with --member <address>.",
      "If the old contract's owner key was stolen, its scores may be the thief's: deploy without --from and push your file.",
    ],
  });
}

export interface OpenStage {
  readonly contract: ScoreContract;
  readonly stage: Stage;
  readonly height: bigint;
  readonly table: ScoreTable;
}

/** Reads the open stage of a contract and all its scores at one height. */
export async function readOpenStage({ output, signal }: Context, contract: ScoreContract): Promise<OpenStage> {
  output.showTransient("reading the old contract …");
  const height = await contract.getHeight({ signal });
  const at = { height, signal };
  const [newest] = await listLastStages(contract, { ...at, first: await contract.getInitStage(at), limit: 1 });
  if (newest === undefined || newest.isFinalized) {
    throw new VipError(`no stage of ${contract.identity.address} is open: there is nothing to take over`, {
      code: "STAGE_FINALIZED",
      metaMessages: ["Deploy without --from. Nothing was sent."],
    });
  }
  const { stage } = newest;
  const { table } = await readStageTable(contract, stage, at);
  return { contract, stage, height, table };
}

export interface CopiedStage {
  readonly transactions: readonly SentTransaction[];
  readonly verification: Verification;
  /** True if the old contract changed after it was read: the new one lacks those changes. */
  readonly isOutdated: boolean;
}

/** Pushes an old contract's scores to the stage of a new one, verifies it, and checks whether the old one changed meanwhile. */
export async function copyOpenStage(
  context: Context,
  contract: ScoreContract,
  { contract: old, stage, table }: OpenStage,
  { onDevice = false }: Pick<SendPlanOptions, "onDevice">,
): Promise<CopiedStage> {
  const { output, signal } = context;
  const journal = await openJournal(context, contract, stage, undefined);
  try {
    const plan = await planPush(contract, stage, table, { signal, journal });
    output.note(`copying   ${count(table.size, "score")} of stage ${stage}, total ${group(table.total)}`);
    const { transactions, verification } = await sendPlan(context, contract, plan, { journal, onDevice });
    const { agrees } = await verifyScores(old, stage, table, { signal });
    return { transactions, verification, isOutdated: !agrees };
  } catch (error) {
    const { address } = old.identity;
    output.warn(
      `the new contract lacks scores of stage ${stage}: run vipscore export --contract ${address} --stage ${stage} --out open.csv and vipscore push open.csv --stage ${stage}`,
    );
    throw error;
  } finally {
    await journal.close();
  }
}

export function notTakenOver({ contract, stage }: OpenStage, { isOutdated }: CopiedStage): readonly string[] {
  const { address } = contract.identity;
  return [
    `finalized stages stay at the old address ${address}, which still accepts scores for stage ${stage}: make sure nobody writes there`,
    "L1 still reads the old address: register the new one (update_l2_score_contract of the VIP module) before the stage is finalized",
    "not taken over: members, the finalizer, a pending ownership offer, the members' right to manage members, and account numbers",
    ...(isOutdated
      ? [
          `stage ${stage} of the old contract changed while it was copied: run vipscore export --contract ${address} --stage ${stage} --out open.csv and vipscore push open.csv --stage ${stage}`,
        ]
      : []),
  ];
}

export function takenOverJson({ contract, height }: OpenStage, copied: CopiedStage) {
  const { transactions, verification, isOutdated } = copied;
  return {
    contract: contract.identity,
    height,
    transactions,
    verification: verificationJson(verification),
    isOutdated,
  };
}
