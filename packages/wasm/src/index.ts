export { connectWasm, type ConnectWasmParameters } from "./connectWasm.ts";
export type { DeployedWasm } from "./deployedState.ts";
export type { DeployWasmEvent } from "./deploySteps.ts";
export { deployWasm, type DeployWasmParameters } from "./deployWasm.ts";
export { readWasmChainId, type ReadWasmChainIdParameters } from "./readWasmChainId.ts";
export { unsignedWasmCall } from "./unsignedWasmCall.ts";
export { upgradeWasm, type UpgradeWasmParameters } from "./upgradeWasm.ts";
export { wasmAccount, wasmAminoAccount, type WasmAccount } from "./wasmAccount.ts";
export type { WasmScoreContract } from "./wasmScoreContract.ts";
