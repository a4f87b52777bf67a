import type { Vm } from "@vipscore/core";
import type { NodeFile } from "@vipscore/localnet/nodeFile";
import type { Rollup, RollupParameters } from "./rollup.ts";

/** The options of a deployment that not every VM has. */
export type DeployOption = "upgradePolicy" | "upgrade" | "contract" | "admin" | "label" | "from";

/** What an endpoint speaks: Ethereum's JSON-RPC, the REST interface of the Cosmos SDK, or CometBFT's RPC. */
export type Protocol = "JSON-RPC" | "REST" | "RPC";

/** What the command line has to know of a VM before anything is connected. */
export interface VmFacts {
  /** The VM's name for people. */
  readonly name: string;
  /** The lengths in bytes that an account may have; the port of a connected contract says the same. */
  readonly accountBytes: readonly (20 | 32)[];
  /** What the endpoint speaks, and where it may be named beside the places of every VM. */
  readonly endpoint: {
    readonly protocol: Protocol;
    readonly env: "JSON_RPC_URL" | "REST_URL" | "RPC_NODE_URL";
    /** Where a local node of this VM tells it. */
    readonly ofNode: "rpcUrl" | "restUrl";
  };
  /** The options that a deployment has here beside those of every VM. */
  readonly deployOptions: readonly DeployOption[];
  /** What an account calls to accept the ownership, for wallets and multisigs that do not run this command. */
  readonly acceptCall: string;
  /** Loads the VM's chain library, which takes a good part of a second, and opens the rollup. */
  readonly open: (parameters: RollupParameters) => Promise<Rollup>;
}

/** Every VM. */
export const rollups: Readonly<Record<Vm, VmFacts>> = {
  evm: {
    name: "EVM",
    accountBytes: [20],
    endpoint: { protocol: "JSON-RPC", env: "JSON_RPC_URL", ofNode: "rpcUrl" },
    deployOptions: ["from"],
    acceptCall: "acceptOwnership() of the contract",
    open: async (parameters) => (await import("./evmRollup.ts")).openEvmRollup(parameters),
  },
  move: {
    name: "Move",
    accountBytes: [20, 32],
    endpoint: { protocol: "REST", env: "REST_URL", ofNode: "restUrl" },
    deployOptions: ["upgradePolicy", "upgrade"],
    acceptCall: "the entry function vip_score::accept_ownership_script of the module",
    open: async (parameters) => (await import("./moveRollup.ts")).openMoveRollup(parameters),
  },
  wasm: {
    name: "Wasm",
    accountBytes: [20, 32],
    endpoint: { protocol: "RPC", env: "RPC_NODE_URL", ofNode: "rpcUrl" },
    deployOptions: ["upgrade", "contract", "admin", "label"],
    acceptCall: 'the message {"accept_ownership":{}} of the contract',
    open: async (parameters) => (await import("./wasmRollup.ts")).openWasmRollup(parameters),
  },
};

/** The VMs' names as they are given in settings. */
export const vms: readonly Vm[] = ["evm", "move", "wasm"];

/** The VM of a name, or undefined where there is none. */
export function vmNamed(name: string): Vm | undefined {
  return vms.find((vm) => vm === name);
}

/** The endpoint of a running local node of this VM; undefined for a node of another one. */
export function endpointOfNode(node: NodeFile, vm: Vm): string | undefined {
  return node.vm === vm ? node[rollups[vm].endpoint.ofNode] : undefined;
}
