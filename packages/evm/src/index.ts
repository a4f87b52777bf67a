export { connectEvm, type ConnectEvmParameters } from "./connectEvm.ts";
export { deployEvm, type DeployedEvm, type DeployEvmParameters } from "./deployEvm.ts";
export type { DeployEvmEvent } from "./deploySteps.ts";
export type { EvmScoreContract } from "./evmScoreContract.ts";
export { readEvmChainId, type ReadEvmChainIdParameters } from "./readEvmChainId.ts";
export type { EvmEndpoint } from "./rpc/openRpc.ts";
export type { EvmProvider } from "./rpc/providerRpc.ts";
export { vipScoreAbi } from "./vipScoreAbi.generated.ts";
export { vipScoreBytecode } from "./vipScoreBytecode.generated.ts";
