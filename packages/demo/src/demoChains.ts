import type { Vm } from "@vipscore/core";
import type { NodeFile } from "@vipscore/core/nodeFile";
import { startHardhat, startVipnode, type LocalNode, type VipnodeVm } from "@vipscore/localnet";
import type { ChainWrites } from "./chainWrites.ts";
import type { MintedNfts } from "./mintNfts.ts";

/** Fast, but with several transactions in flight at a time, as on a rollup. */
const blockTimeMs = 100;

/** 919 tokens with the contract's; the steps about scores have the large numbers. */
const nftOwners = 150;

type DemoNode = LocalNode & Pick<NodeFile, "restUrl">;

/** Facts and functions that the demo needs for a VM. */
export interface DemoChain {
  /** The VM's name in output. */
  readonly name: string;
  /** Rows of the table: enough for several transactions. */
  readonly rows: number;
  /** The vipnode program that `start` runs and that can be prepared in advance. Default: nothing to prepare. */
  readonly vipnode?: VipnodeVm;
  readonly start: (signal: AbortSignal) => Promise<DemoNode>;
  /** Mints NFTs for the steps that score their holders. Default: skips those steps. */
  readonly mintNfts?: (node: LocalNode, seed: number) => Promise<MintedNfts>;
  /** Reads what was written from the chain, without vipscore. */
  readonly countWrites: (node: LocalNode, contract: string, stage: bigint) => Promise<ChainWrites>;
}

/** The chains that the demo runs on. What reads a chain is loaded when its VM is shown. */
export const demoChains: Readonly<Record<Vm, DemoChain>> = {
  evm: {
    name: "EVM",
    rows: 5_000,
    start: () => startHardhat({ blockTimeMs }),
    mintNfts: async (node, seed) => (await import("./mintNfts.ts")).mintNfts(node, seed, nftOwners),
    countWrites: async (...of) => (await import("./chainWrites.ts")).countEvmWrites(...of),
  },
  move: {
    name: "Move",
    rows: 20_000,
    vipnode: "move",
    start: (signal) => startVipnode({ vm: "move", blockTimeMs, signal }),
    countWrites: async (...of) => (await import("./chainWrites.ts")).countMoveWrites(...of),
  },
  wasm: {
    name: "Wasm",
    rows: 20_000,
    vipnode: "wasm",
    start: (signal) => startVipnode({ vm: "wasm", blockTimeMs, signal }),
    countWrites: async (...of) => (await import("./chainWrites.ts")).countWasmWrites(...of),
  },
};
