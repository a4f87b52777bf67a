import { startAnvil, startHardhat } from "@vipscore/localnet";
import { startMinievm } from "@vipscore/minievm-double";

/** A chain that runs for the tests of one file. */
export interface RunningChain {
  readonly rpcUrl: string;
  readonly chainId: string;
  stop(): Promise<void>;
}

/** In which nodes differ by design; everything else is the same on all of them. */
export interface ChainTraits {
  /** A failed call comes with the contract's error. */
  readonly revertData: boolean;
  /** A transaction with a sequence ahead waits instead of being refused. */
  readonly queuesGaps: boolean;
  /** The largest gas limit of a transaction; undefined where any is taken. */
  readonly mostGas: bigint | undefined;
  readonly chargesGas: boolean;
}

export interface TestChain {
  readonly name: string;
  readonly start: () => Promise<RunningChain>;
  readonly traits: ChainTraits;
}

const chains: readonly TestChain[] = [
  {
    name: "Hardhat",
    start: () => startHardhat(),
    traits: { revertData: true, queuesGaps: false, mostGas: 16_777_216n, chargesGas: true },
  },
  {
    name: "anvil",
    start: () => startAnvil(),
    traits: { revertData: true, queuesGaps: true, mostGas: 150_000_000n, chargesGas: true },
  },
  {
    name: "the minievm double",
    start: () => startMinievm(),
    traits: { revertData: false, queuesGaps: true, mostGas: undefined, chargesGas: false },
  },
];

/**
 * The chains that the adapter's tests run on, the same tests on each. anvil is one of them where VIPSCORE_LONG=true; without it
 * the conformance suite alone runs there.
 */
export const testChains = chains.filter(({ name }) => name !== "anvil" || process.env["VIPSCORE_LONG"] === "true");
