import { createHardhatProvider, type HardhatOptions } from "./hardhatProvider.ts";
import { serveJsonRpc } from "./jsonRpcServer.ts";
import type { LocalNode } from "./localNode.ts";
import { checkPort } from "./nodeSettings.ts";

/**
 * Starts a Hardhat chain in this process and serves it as JSON-RPC over HTTP on 127.0.0.1; see
 * {@link createHardhatProvider} for the chain itself. It ends with this process.
 *
 * @param options.port default: any free port, as with 0.
 * @throws CONFIG_INVALID if the port or the block time is invalid, or the port is taken.
 *
 * @example
 * await using node = await startHardhat({ blockTimeMs: 200 });
 * console.log(node.rpcUrl);
 */
export async function startHardhat(options: HardhatOptions & { readonly port?: number } = {}): Promise<LocalNode> {
  const port = checkPort(options.port ?? 0);
  const chain = await createHardhatProvider(options);
  try {
    // Hardhat's own server never reports a port in use and leaves the chain running when it closes.
    const server = await serveJsonRpc((method, params) => chain.request({ method, params }), port);
    const stop = async (): Promise<void> => {
      await server.close();
      await chain.close();
    };
    return {
      vm: "evm",
      kind: "hardhat",
      rpcUrl: server.url,
      chainId: chain.chainId,
      accounts: chain.accounts,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await chain.close();
    throw error;
  }
}
