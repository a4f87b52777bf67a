import type { OtherCall } from "@vipscore/core";

/**
 * Upper bounds of the gas of calls other than `updateScores`. Measured: at most 75,119 on the Ethereum schedule (a new
 * member of our contract), and 137,932 to finalize on minievm v1.2.18, whose receipts carry a fixed part.
 */
export const callGas: Readonly<Record<OtherCall["kind"], bigint>> = {
  finalizeStage: 250_000n,
  addMember: 250_000n,
  removeMember: 250_000n,
  setFinalizer: 250_000n,
  setManagement: 250_000n,
  offerOwnership: 250_000n,
  acceptOwnership: 250_000n,
};
