export {
  aminoAccount as wasmAminoAccount,
  keyAccount as wasmAccount,
  type CosmosAccount as WasmAccount,
} from "@vipscore/cosmos";
export { connectWasm, type ConnectWasmParameters } from "./connectWasm.ts";
export type { DeployedWasm } from "./deployedState.ts";
export { deployWasm, type DeployWasmParameters } from "./deployWasm.ts";
export { readWasmChainId, type ReadWasmChainIdParameters } from "./chainFacts.ts";
export { unsignedWasmCall } from "./encodeCall.ts";
export { upgradeWasm, type UpgradeWasmParameters } from "./upgradeWasm.ts";
export { overflowWarning, readWasmArtifact } from "./wasmArtifact.ts";
export type { ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg } from "./vipScoreTypes.generated.ts";
