/** On the local L1 a claim takes some 110,000 gas, and 13,000 for each stage; the public ones have more bridges to look through. */
const gasOf = { claim: 1_000_000n, stage: 50_000n };

/** Returns the default gas limit of a claim that opens or pays a number of stages. */
export function claimGas(stages: number): bigint {
  return gasOf.claim + gasOf.stage * BigInt(stages);
}
