export {
  aminoAccount as moveAminoAccount,
  keyAccount as moveAccount,
  offlineAccount as moveOfflineAccount,
  type CosmosAccount as MoveAccount,
  type OfflineSigner as MoveOfflineSigner,
} from "@vipscore/cosmos";
export { connectMove, type ConnectMoveParameters } from "./connectMove.ts";
export type { DeployedMove } from "./deployedState.ts";
export { deployMove, type DeployMoveParameters } from "./deployMove.ts";
export type { DeployMoveEvent } from "./deploySteps.ts";
export { moduleAddress } from "./moduleBinary.ts";
export type { MoveScoreContract } from "./moveScoreContract.ts";
export { unsignedMoveCall } from "./encodeCall.ts";
export type { UpgradePolicy } from "./publishedModule.ts";
export { readMoveChainId, type ReadMoveChainIdParameters } from "./chainFacts.ts";
export { signMessage, type SignedMessage, type SignMessageParameters } from "./signMessage.ts";
