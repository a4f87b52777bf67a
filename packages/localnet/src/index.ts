export { createHardhatProvider, type HardhatOptions, type HardhatProvider } from "./hardhatProvider.ts";
export { JsonRpcFailure, serveJsonRpc, type JsonRpcHandler, type JsonRpcServer } from "./jsonRpcServer.ts";
export type { LocalNode, LocalNodeKind } from "./localNode.ts";
export { nodeFileName, readNodeFile, removeNodeFile, writeNodeFile, type NodeFile } from "./nodeFile.ts";
export { startAnvil } from "./startAnvil.ts";
export { startHardhat } from "./startHardhat.ts";
export { testAccounts, type LocalAccount } from "./testAccounts.ts";
