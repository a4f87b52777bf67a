export { connectEvm, type ConnectEvmParameters } from "./connectEvm.ts";
export { deployEvm, type DeployedEvm, type DeployEvmParameters } from "./deployEvm.ts";
export { errorsOf, readEvmArtifact, readEvmErrors } from "./evmArtifact.ts";
export { unsignedEvmCall } from "./encodeCall.ts";
export { evmAccount, evmDeviceAccount, type EvmAccount, type EvmDevice } from "./evmAccount.ts";
export { readEvmChainId, type EvmEndpoint, type EvmProvider, type ReadEvmChainIdParameters } from "./openRpc.ts";
export { vipScoreAbi } from "@vipscore/contracts-evm/abi";
export { vipScoreBytecode } from "./vipScoreBytecode.generated.ts";
