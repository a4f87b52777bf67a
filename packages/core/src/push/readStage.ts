import type { Account } from "../account.ts";
import { CheckError } from "../errors/checkError.ts";
import { NodeError } from "../errors/nodeError.ts";
import type { Score } from "../score.ts";
import type { ReadOptions, ScoreContract, StageInfo } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";

/** A stage and all its rows, read at one height. */
export interface StageState {
  readonly info: StageInfo;
  readonly height: bigint;
  readonly scores: ReadonlyMap<Account, Score>;
}

/**
 * Reads a stage and every row of it at one height.
 *
 * @throws CheckError `STAGE_NOT_FOUND`; NodeError `NODE_BAD_RESPONSE` when the rows do not agree with the contract's own
 * count, so that a page lost on the way is never taken for an absent row.
 */
export async function readStage(
  contract: ScoreContract,
  stage: Stage,
  options: { readonly height?: bigint; readonly signal?: AbortSignal } = {},
): Promise<StageState> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const height = options.height ?? (await contract.getHeight(signal));
  const info = await contract.getStage(stage, { height, ...signal });
  if (info === undefined) throw await stageNotFound(contract, stage, { height, ...signal });
  const scores = new Map<Account, Score>();
  for await (const page of contract.getScores(stage, { height, ...signal })) {
    for (const row of page) {
      if (scores.has(row.account)) {
        throw new NodeError(`the node listed ${row.account} twice in stage ${stage} at height ${height}`, {
          code: "NODE_BAD_RESPONSE",
          metaMessages: ["Its pages do not belong to one state; use an endpoint that serves reads at a height."],
        });
      }
      scores.set(row.account, row.score);
    }
  }
  if (info.count !== undefined && info.count !== BigInt(scores.size)) {
    throw new NodeError(
      `the node listed ${scores.size} accounts of stage ${stage} at height ${height}, the contract counts ${info.count}`,
      { code: "NODE_BAD_RESPONSE" },
    );
  }
  return { info, height, scores };
}

/** The error for a stage that does not exist, naming the stages that do. */
export async function stageNotFound(
  contract: ScoreContract,
  stage: Stage,
  options: ReadOptions = {},
): Promise<CheckError> {
  const first = await contract.getInitStage(options);
  const hint =
    stage < first
      ? `The contract starts at stage ${first}.`
      : `The contract starts at stage ${first}; a later stage is created when the one before it is finalized.`;
  return new CheckError(`stage ${stage} does not exist on ${contract.identity.address}`, {
    code: "STAGE_NOT_FOUND",
    metaMessages: [hint],
  });
}
