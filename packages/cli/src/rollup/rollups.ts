import type { Rollup, RollupParameters, ServedVm } from "./rollup.ts";

/** What the command line has to know of a VM before anything is connected. */
export interface VmFacts {
  /** The VM's name for people. */
  readonly name: string;
  /** The lengths in bytes that an account may have; the port of a connected contract says the same. */
  readonly accountBytes: readonly (20 | 32)[];
  /** How the endpoint is called, and where it may be named. */
  readonly endpoint: {
    readonly title: string;
    readonly key: "rpcUrl" | "restUrl";
    readonly flag: "--rpc-url" | "--rest-url";
    readonly env: "JSON_RPC_URL" | "REST_URL";
  };
  /** Loads the VM's chain library, which takes a good part of a second, and opens the rollup. */
  readonly open: (parameters: RollupParameters) => Promise<Rollup>;
}

/** Every VM that this version serves. */
export const rollups: Readonly<Record<ServedVm, VmFacts>> = {
  evm: {
    name: "EVM",
    accountBytes: [20],
    endpoint: { title: "JSON-RPC", key: "rpcUrl", flag: "--rpc-url", env: "JSON_RPC_URL" },
    open: async (parameters) => (await import("./evmRollup.ts")).openEvmRollup(parameters),
  },
  move: {
    name: "Move",
    accountBytes: [20, 32],
    endpoint: { title: "REST", key: "restUrl", flag: "--rest-url", env: "REST_URL" },
    open: async (parameters) => (await import("./moveRollup.ts")).openMoveRollup(parameters),
  },
};

/** The VMs' names as they are given in settings. */
export const servedVms: readonly ServedVm[] = ["evm", "move"];

/** The VM of a name, or undefined where this version does not serve it. */
export function findServedVm(name: string): ServedVm | undefined {
  return servedVms.find((served) => served === name);
}
