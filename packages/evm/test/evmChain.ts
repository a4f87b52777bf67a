import type { LocalAccount } from "viem";
import { stage } from "@vipscore/core";
import { startHardhat } from "@vipscore/localnet";
import type { Actor, AdapterChain } from "@vipscore/testkit/adapter/adapterChain";
import { isLong } from "@vipscore/testkit/isLong";
import { startMinievm } from "@vipscore/testkit/minievm";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { accountOfAddress } from "../src/evmAddress.ts";
import { connectEvm, deployEvm, readEvmChainId } from "../src/index.ts";
import { deployShape, freshAccount, newAccount } from "./testContract.ts";

/** An EVM node that runs for the tests of one file. */
interface RunningNode {
  readonly rpcUrl: string;
  readonly chainId: string;
  stop(): Promise<void>;
}

/** In which nodes differ by design; everything else is the same on all of them. */
interface Traits extends Pick<AdapterChain, "reportsReasons"> {
  readonly chargesGas: boolean;
  /** A transaction with a future sequence is queued instead of refused. */
  readonly queuesGaps: boolean;
  /** The largest gas limit of a transaction; undefined if there is no limit. */
  readonly maxGas: bigint | undefined;
}

/** An EVM chain for the adapter suites, not started yet. */
export interface EvmChain {
  readonly name: string;
  readonly traits: Traits;
  readonly start: () => Promise<AdapterChain>;
}

function evmChain(name: string, startNode: () => Promise<RunningNode>, traits: Traits): EvmChain {
  const start = async (): Promise<AdapterChain> => {
    const node = await startNode();
    const { rpcUrl, chainId } = node;
    const actorOf = (account: LocalAccount): Actor => ({
      account: accountOfAddress(account.address),
      deployOurs: ({ onStep, expectedChainId, ...wanted } = {}) =>
        deployEvm({
          rpcUrl,
          account,
          initStage: stage(4n),
          onEvent: ({ step, status }) => onStep?.(`${step} ${status}`),
          ...chainOf(expectedChainId),
          ...wanted,
        }),
      deploy: (shape) => deployShape(rpcUrl, shape, account),
      connect: (address, { url = rpcUrl, expectedChainId, ...more } = {}) =>
        connectEvm({ rpcUrl: url, address, account, ...chainOf(expectedChainId), ...more }),
    });
    return {
      vm: "evm",
      chainId,
      url: rpcUrl,
      forms: { address: /^0x[0-9a-fA-F]{40}$/, hash: /^0x[0-9a-f]{64}$/ },
      reportsReasons: traits.reportsReasons,
      fund: async () => actorOf(await freshAccount(rpcUrl)),
      poor: () => actorOf(newAccount()),
      readChainId: async (expectedChainId) => String(await readEvmChainId({ rpcUrl, ...chainOf(expectedChainId) })),
      read: (address, { url = rpcUrl, expectedChainId, ...more } = {}) =>
        connectEvm({ rpcUrl: url, address, ...chainOf(expectedChainId), ...more }),
      stop: () => node.stop(),
    };
  };
  return { name, traits, start };
}

function chainOf(expectedChainId: string | undefined): { readonly expectedChainId?: bigint } {
  return expectedChainId === undefined ? {} : { expectedChainId: BigInt(expectedChainId) };
}

export const hardhat = evmChain("Hardhat", () => startHardhat(), {
  reportsReasons: true,
  queuesGaps: false,
  maxGas: 16_777_216n,
  chargesGas: true,
});
const anvil = evmChain("anvil", () => startAnvil(), {
  reportsReasons: true,
  queuesGaps: true,
  maxGas: 150_000_000n,
  chargesGas: true,
});
const minievm = evmChain("the minievm double", () => startMinievm(), {
  reportsReasons: false,
  queuesGaps: true,
  maxGas: undefined,
  chargesGas: false,
});

/** The chains on which the same adapter tests run; also anvil at night. */
export const evmChains = isLong ? [hardhat, anvil, minievm] : [hardhat, minievm];
