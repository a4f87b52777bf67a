// Bundlers for browsers take this file for the package.

/** Every function of the package: it needs Node, and throws here. */
function needsNode(): never {
  throw new Error("@vipscore/evm needs Node: in a page, read scores with viem and @vipscore/contracts-evm/abi");
}

export {
  needsNode as connectEvm,
  needsNode as deployEvm,
  needsNode as errorsOf,
  needsNode as evmAccount,
  needsNode as evmDeviceAccount,
  needsNode as readEvmArtifact,
  needsNode as readEvmChainId,
  needsNode as readEvmErrors,
  needsNode as unsignedEvmCall,
};
export { vipScoreAbi } from "@vipscore/contracts-evm/abi";
export { vipScoreBytecode } from "./vipScoreBytecode.generated.ts";
