export {
  aminoAccount as moveAminoAccount,
  keyAccount as moveAccount,
  type CosmosAccount as MoveAccount,
} from "@vipscore/cosmos";
export { connectMove, type ConnectMoveParameters } from "./connectMove.ts";
export { deployMove, type DeployedMove, type DeployMoveParameters } from "./deployMove.ts";
export {
  moduleAddress,
  ModuleBinaryError,
  ModuleCursor,
  readModules,
  readModuleTables,
  readMoveArtifact,
  type ModuleTable,
} from "./moveArtifact.ts";
export { readMoveErrors } from "./parseFailure.ts";
export { unsignedMoveCall } from "./encodeCall.ts";
export { publishModules, type PublishModulesParameters, type PublisherParameters } from "./publishModules.ts";
export { moduleName, type UpgradePolicy } from "./moduleStore.ts";
export { readMoveChainId, type MoveEndpoint, type ReadMoveChainIdParameters } from "./chainFacts.ts";
export { signMessage, type SignedMessage, type SignMessageParameters } from "./signMessage.ts";
