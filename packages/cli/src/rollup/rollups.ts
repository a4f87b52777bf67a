import type { Vm } from "@vipscore/core";
import type { NodeFile } from "@vipscore/core/nodeFile";
import type { Rollup, RollupParameters } from "./rollup.ts";

/** The options of a deployment that only some VMs support. */
export type DeployOption = "upgradePolicy" | "upgrade" | "contract" | "admin" | "label" | "from";

/** An endpoint's protocol: Ethereum's JSON-RPC, the REST API of the Cosmos SDK, or CometBFT's RPC. */
export type Protocol = "JSON-RPC" | "REST" | "RPC";

/** What the command line must know about a VM before it connects. */
export interface VmFacts {
  /** The VM's name for people. */
  readonly name: string;
  /** The lengths that an account may have, in bytes; same as in the port of a connected contract. */
  readonly accountBytes: readonly (20 | 32)[];
  /** The endpoint's protocol and its environment variable, in addition to `VIPSCORE_ENDPOINT`. */
  readonly endpoint: {
    readonly protocol: Protocol;
    readonly env: "JSON_RPC_URL" | "REST_URL" | "RPC_NODE_URL";
    /** The field of a local node that contains it. */
    readonly ofNode: "rpcUrl" | "restUrl";
  };
  /** The deploy options of this VM, in addition to those of every VM. */
  readonly deployOptions: readonly DeployOption[];
  /** The call that accepts ownership, for wallets and multisigs that do not run this command. */
  readonly acceptCall: string;
  /** Loads the VM's chain library, which takes much of a second, and opens the rollup. */
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

/** The VMs' names as used in settings. */
export const vms: readonly Vm[] = ["evm", "move", "wasm"];

/** Returns the VM with this name, or undefined if there is none. */
export function vmNamed(name: string): Vm | undefined {
  return vms.find((vm) => vm === name);
}

/** Returns the endpoint of a local node; undefined if it runs another VM. */
export function endpointOfNode(node: NodeFile, vm: Vm): string | undefined {
  return node.vm === vm ? node[rollups[vm].endpoint.ofNode] : undefined;
}
