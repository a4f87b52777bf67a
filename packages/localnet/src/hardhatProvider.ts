import { testAccounts, type LocalAccount } from "@vipscore/core/testAccounts";
import { serveJsonRpc } from "./jsonRpcServer.ts";
import {
  checkBlockTime,
  checkPort,
  evmAccountBalance,
  evmBlockGasLimit,
  evmChainId,
  type LocalNode,
} from "./localNode.ts";

/** Block production and gas pricing of a Hardhat chain. */
export interface HardhatOptions {
  /** Milliseconds between blocks. Default: each transaction is mined in its own block before it is answered. */
  readonly blockTimeMs?: number;
  /**
   * Transactions cost nothing, as on many rollups: the base fee stays 0, which needs a block gas limit so high that no
   * block is ever half full.
   */
  readonly freeGas?: boolean;
}

/** A Hardhat chain inside this process, without a port. */
export interface HardhatProvider extends AsyncDisposable {
  /** The chain id in decimal. */
  readonly chainId: string;
  readonly accounts: readonly LocalAccount[];
  /** EIP-1193: rejects with the node's `code`, `message` and `data`. */
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  /** Stops the chain and its block interval. Calling it again does nothing. */
  close(): Promise<void>;
}

/**
 * Gas limit of a transaction: the cap of EIP-7825, Hardhat's default since Osaka. It also applies without gas prices,
 * because Hardhat needs memory for every step it executes (a transaction of 200 M gas exhausted a machine).
 */
const transactionGasCap = 16_777_216n;

/** The largest gas that a JavaScript number can represent exactly. */
const unlimitedGas = 2n ** 53n - 1n;

/**
 * Starts Hardhat 3's own network in this process: hardfork cancun, 150,000,000 gas a block, 16,777,216 gas a
 * transaction, history kept. It needs no project and no config file, and writes nothing to the working directory.
 *
 * Without `blockTimeMs` a transaction with a sequence ahead of the account's is refused; with it, it waits for the gap
 * to fill. A reverting transaction returns its hash and has status 0 in its receipt, as on a real node. Block times
 * follow the clock, so several blocks may share a second.
 *
 * @throws CONFIG_INVALID if `blockTimeMs` is not a whole number from 1 to 3,600,000.
 */
export async function createHardhatProvider(options: HardhatOptions = {}): Promise<HardhatProvider> {
  const blockTimeMs = checkBlockTime(options.blockTimeMs);
  // On a terminal Hardhat may send crash reports to its developers, which nobody who starts a local node agreed to.
  process.env["HARDHAT_DISABLE_TELEMETRY"] ??= "true";
  const accounts = Object.values(testAccounts);
  // Loaded here, because most programs that import this package start no chain.
  const { createHardhatRuntimeEnvironment } = await import("hardhat/hre");
  const runtime = await createHardhatRuntimeEnvironment(
    {
      networks: {
        local: {
          type: "edr-simulated",
          chainType: "l1",
          chainId: evmChainId,
          hardfork: "cancun",
          accounts: accounts.map(({ privateKey }) => ({ privateKey, balance: evmAccountBalance })),
          allowBlocksWithSameTimestamp: true,
          throwOnTransactionFailures: false,
          ...(blockTimeMs === undefined ? {} : { mining: { auto: false, interval: blockTimeMs } }),
          transactionGasCap,
          ...(options.freeGas === true
            ? { initialBaseFeePerGas: 0n, blockGasLimit: unlimitedGas }
            : { blockGasLimit: evmBlockGasLimit }),
        },
      },
    },
    {},
    // Hardhat looks for an npm project around it; this package is one, in any working directory.
    import.meta.dirname,
  );
  const connection = await runtime.network.create({ network: "local", chainType: "l1" });
  const end = async (): Promise<void> => {
    // Hardhat would keep mining until the chain is garbage-collected.
    if (blockTimeMs !== undefined) await connection.provider.request({ method: "evm_setIntervalMining", params: [0] });
    await connection.close();
  };
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => (ended ??= end());
  return {
    chainId: String(evmChainId),
    accounts,
    request: ({ method, params = [] }) => connection.provider.request({ method, params: [...params] }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Starts a Hardhat chain in this process and serves it as JSON-RPC over HTTP on 127.0.0.1; see
 * {@link createHardhatProvider} for the chain itself. It ends with this process.
 *
 * @param options.port default: any free port, as with 0.
 * @throws CONFIG_INVALID if the port or the block time is invalid, or the port is taken.
 *
 * @example
 * const node = await startHardhat({ blockTimeMs: 200 });
 * console.log(node.rpcUrl);
 * await node.stop();
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
