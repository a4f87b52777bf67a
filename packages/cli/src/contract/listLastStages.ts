import { stage, u64Max, type ReadOptions, type ScoreContract, type Stage, type StageInfo } from "@vipscore/core";

/**
 * Returns the newest stages of a contract, oldest first. A stage is created when the previous one is finalized, so doubling
 * the distance and then halving it finds the newest: about two reads for each binary digit.
 */
export async function listLastStages(
  contract: Pick<ScoreContract, "getStage">,
  first: Stage,
  limit: number,
  options: ReadOptions,
): Promise<readonly StageInfo[]> {
  const exists = async (number: bigint): Promise<boolean> =>
    number <= u64Max && (await contract.getStage(stage(number), options)) !== undefined;
  let known: bigint = first;
  let step = 1n;
  while (await exists(known + step)) {
    known += step;
    step *= 2n;
  }
  for (; step > 0n; step /= 2n) if (await exists(known + step)) known += step;
  const infos: StageInfo[] = [];
  for (let number = known; number >= first && infos.length < limit; number -= 1n) {
    const info = await contract.getStage(stage(number), options);
    if (info !== undefined) infos.unshift(info);
  }
  return infos;
}
