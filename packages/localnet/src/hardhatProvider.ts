import { evmAccountBalance, evmBlockGasLimit, evmChainId } from "./localNode.ts";
import { checkBlockTime } from "./nodeSettings.ts";
import { testAccounts, type LocalAccount } from "./testAccounts.ts";

/** How a Hardhat chain makes its blocks and what gas costs on it. */
export interface HardhatOptions {
  /** Milliseconds between blocks; without it every transaction is mined in its own block before its answer. */
  readonly blockTimeMs?: number;
  /**
   * Transactions cost nothing, as on many rollups: the base fee is 0 for ever, which takes a block gas limit that no
   * block ever half fills.
   */
  readonly freeGas?: boolean;
}

/** A Hardhat chain inside this process, reached without any port. */
export interface HardhatProvider extends AsyncDisposable {
  /** The chain id in decimal. */
  readonly chainId: string;
  readonly accounts: readonly LocalAccount[];
  /** EIP-1193: rejects with the node's `code`, `message` and `data`. */
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  /** Ends the chain, its block interval included. Calling it again changes nothing. */
  close(): Promise<void>;
}

/**
 * Gas that one transaction may use: the cap of EIP-7825, Hardhat's own default since Osaka. Also without gas prices, since
 * Hardhat needs memory for every step that it executes (a transaction of 200 M gas was seen to exhaust the machine).
 */
const transactionGasCap = 16_777_216n;

/** The largest gas that a JavaScript number carries exactly. */
const unlimitedGas = 2n ** 53n - 1n;

/**
 * Starts Hardhat 3's own network in this process: hardfork cancun, 150,000,000 gas a block, 16,777,216 gas a
 * transaction, history kept. It needs no project and no config file, and writes nothing to the working directory.
 *
 * Without `blockTimeMs` a transaction with a sequence ahead of the account's is refused; with it, it waits for the gap to
 * fill. A transaction that reverts is answered with its hash and has status 0 in its receipt, as on a real node. Block
 * times follow the clock, so several blocks may share one second.
 *
 * @throws CONFIG_INVALID when `blockTimeMs` is not a whole number from 1 to 3,600,000.
 */
export async function createHardhatProvider(options: HardhatOptions = {}): Promise<HardhatProvider> {
  const blockTimeMs = checkBlockTime(options.blockTimeMs);
  // On a terminal Hardhat may report its own failures to its makers; nobody who starts a local node agreed to that.
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
    // Hardhat looks for the npm project that it belongs to; this package is one wherever the caller stands.
    import.meta.dirname,
  );
  const connection = await runtime.network.create({ network: "local", chainType: "l1" });
  const end = async (): Promise<void> => {
    // Hardhat would mine on until the garbage collector finds the chain.
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
