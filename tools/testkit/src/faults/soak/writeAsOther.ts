import { BroadcastError, stage, type ScoreContract } from "@vipscore/core";

/**
 * Sends a transaction of the push's signer that writes no row, with the sequence that the push would use next.
 *
 * @returns the outcome, for the log.
 */
export async function writeAsOther(contract: ScoreContract): Promise<string> {
  const sequence = await contract.getSequence();
  const { baseGas } = await contract.getLimits();
  const call = { kind: "updateScores", stage: stage(1n), rows: [] } as const;
  try {
    await contract.broadcast(await contract.sign(call, { sequence, gas: 2n * baseGas }));
    return `took sequence ${sequence}`;
  } catch (error) {
    if (error instanceof BroadcastError) return `sequence ${sequence} was refused`;
    throw error;
  }
}
