export { connectMove, type ConnectMoveParameters } from "./connectMove.ts";
export type { DeployedMove } from "./deployedState.ts";
export { deployMove, type DeployMoveParameters } from "./deployMove.ts";
export type { DeployMoveEvent } from "./deploySteps.ts";
export { moveAccount, type MoveAccount } from "./moveAccount.ts";
export { moveAminoAccount } from "./moveAminoAccount.ts";
export type { MoveScoreContract } from "./moveScoreContract.ts";
export type { UpgradePolicy } from "./publishedModule.ts";
export { readMoveChainId, type ReadMoveChainIdParameters } from "./readMoveChainId.ts";
