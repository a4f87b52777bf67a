export { createHardhatProvider, type HardhatOptions, type HardhatProvider } from "./hardhatProvider.ts";
export { JsonRpcFailure, serveJsonRpc, type JsonRpcHandler, type JsonRpcServer } from "./jsonRpcServer.ts";
export type { CosmosNode, LocalNode, LocalNodeKind, VipnodeVm } from "./localNode.ts";
export { nodeEnvironment } from "./nodeEnvironment.ts";
export {
  nodeFileName,
  readNodeFile,
  removeNodeFile,
  writeNodeFile,
  type L1Endpoint,
  type NodeFile,
} from "./nodeFile.ts";
export { readDemoNft } from "./readDemoNft.ts";
export { startAnvil } from "./startAnvil.ts";
export { startHardhat } from "./startHardhat.ts";
export { testAccounts, type LocalAccount } from "./testAccounts.ts";
export { buildVipnode, buildVipnodes, type BuildVipnodeOptions } from "./vipnode/buildVipnode.ts";
export type { CompileVipnodeOptions, VipnodeBuildProgress } from "./vipnode/compileVipnode.ts";
export { findGoToolchain } from "./vipnode/goToolchain.ts";
export { startVipnode, type Mempool, type StartVipnodeOptions } from "./vipnode/startVipnode.ts";
