import type { Hint, OtherCall, ScoreContract, SignalOptions, Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import type { VipnodeVm } from "@vipscore/localnet";
import { optionalPackage } from "../optionalPackage.ts";
import type { CoinType, Protocol, Rollup, RollupParameters } from "./rollup.ts";

/** The options of a deployment that only some VMs support. */
export type DeployOption = "upgradePolicy" | "upgrade" | "contract" | "admin" | "label" | "from";

/** Facts that the commands must know about a VM. Nothing else of the command depends on which VM it is. */
export interface VmFacts {
  readonly name: string;
  /** The same with its article. */
  readonly aRollup: string;
  /** The lengths that an account may have, in bytes; same as in the port of a connected contract. */
  readonly accountBytes: readonly (20 | 32)[];
  /** The form of addresses that contracts and their tools expect. */
  readonly addressForm: "hex" | "bech32";
  /** The keys with which an account can sign; 60 signs on every VM. */
  readonly coinTypes: readonly CoinType[];
  /** Requests that only a chain with the VM answers: the parameters of its module, as a query and as a route. */
  readonly module: { readonly query: string; readonly route: string };
  /** The protocols that serve its contracts. Only the first, that of `rpcUrl` of a local node, also serves blocks. */
  readonly protocols: readonly ["JSON-RPC" | "RPC", ...Protocol[]];
  /** The field of a local node with the endpoint on which the scenarios of contracts run. */
  readonly scenarioUrl: "rpcUrl" | "restUrl";
  /** The local node that runs it, and its default port. */
  readonly localNode: { readonly kind: "hardhat" | "vipnode"; readonly port: number };
  /** Who may manage members beside the owner, unless the owner forbids it. */
  readonly otherManagers: "members" | "publisher";
  /** Who can replace a contract's code, unless that right was given up. */
  readonly codeAdmin: "nobody" | "publisher" | "admin";
  /** The option of a deployment that says who can replace its code, without which there is no other owner; and the hint to it. */
  readonly replacer:
    { readonly option: "upgradePolicy" | "admin"; readonly name: string; readonly hint: Hint } | undefined;
  readonly deployOptions: readonly DeployOption[];
  /** True if a hardware wallet can sign a deployment: the document of a Cosmos transaction is too large with the code in it. */
  readonly canDeviceDeploy: boolean;
  /** The call that accepts ownership, for wallets and multisigs that do not run this command. */
  readonly acceptCall: string;
  /**
   * The file of a call that others sign, and how to write its text: a batch for the Transaction Builder of Safe, or a transaction
   * for the Cosmos CLI.
   */
  readonly unsigned: {
    readonly format: "safe-transaction-builder" | "cosmos-transaction";
    /** Returns the name of the function that it calls, and the text. */
    readonly write: (
      contract: ScoreContract,
      call: OtherCall,
      options: SignalOptions,
    ) => Promise<{ readonly name: string; readonly text: string }>;
  };
  /** Loads the VM's chain library, which takes much of a second, and opens the rollup. */
  readonly open: (parameters: RollupParameters) => Promise<Rollup>;
}

export const rollups: Readonly<Record<Vm, VmFacts>> = {
  evm: {
    name: "EVM",
    aRollup: "an EVM rollup",
    accountBytes: [20],
    addressForm: "hex",
    coinTypes: [60],
    module: { query: "/minievm.evm.v1.Query/Params", route: "/minievm/evm/v1/params" },
    protocols: ["JSON-RPC"],
    scenarioUrl: "rpcUrl",
    localNode: { kind: "hardhat", port: 8545 },
    otherManagers: "members",
    codeAdmin: "nobody",
    replacer: undefined,
    deployOptions: ["from"],
    canDeviceDeploy: true,
    acceptCall: "acceptOwnership() of the contract",
    unsigned: {
      format: "safe-transaction-builder",
      write: async (contract, call) => (await optionalPackage("@vipscore/evm")).unsignedEvmCall(contract, call),
    },
    open: async (parameters) => (await import("./open.ts")).openEvmRollup(parameters),
  },
  move: {
    name: "Move",
    aRollup: "a Move rollup",
    accountBytes: [20, 32],
    addressForm: "hex",
    coinTypes: [60, 118],
    module: { query: "/initia.move.v1.Query/Params", route: "/initia/move/v1/params" },
    protocols: ["RPC", "REST"],
    scenarioUrl: "restUrl",
    localNode: { kind: "vipnode", port: 26657 },
    otherManagers: "publisher",
    codeAdmin: "publisher",
    replacer: {
      option: "upgradePolicy",
      name: "--upgrade-policy",
      hint: { code: "name-policy", text: "Add --upgrade-policy." },
    },
    deployOptions: ["upgradePolicy", "upgrade"],
    canDeviceDeploy: false,
    acceptCall: "the entry function vip_score::accept_ownership_script of the module",
    unsigned: {
      format: "cosmos-transaction",
      write: async (...call) => (await optionalPackage("@vipscore/move")).unsignedMoveCall(...call),
    },
    open: async (parameters) => (await import("./open.ts")).openMoveRollup(parameters),
  },
  wasm: {
    name: "Wasm",
    aRollup: "a Wasm rollup",
    accountBytes: [20, 32],
    addressForm: "bech32",
    coinTypes: [60, 118],
    module: { query: "/cosmwasm.wasm.v1.Query/Params", route: "/cosmwasm/wasm/v1/codes/params" },
    protocols: ["RPC"],
    scenarioUrl: "rpcUrl",
    localNode: { kind: "vipnode", port: 26657 },
    otherManagers: "members",
    codeAdmin: "admin",
    replacer: { option: "admin", name: "--admin", hint: { code: "name-admin", text: "Add --admin." } },
    deployOptions: ["upgrade", "contract", "admin", "label"],
    canDeviceDeploy: false,
    acceptCall: 'the message {"accept_ownership":{}} of the contract',
    unsigned: {
      format: "cosmos-transaction",
      write: async (...call) => (await optionalPackage("@vipscore/wasm")).unsignedWasmCall(...call),
    },
    open: async (parameters) => (await import("./open.ts")).openWasmRollup(parameters),
  },
};

export function isVipnodeVm(vm: Vm): vm is VipnodeVm {
  return rollups[vm].localNode.kind === "vipnode";
}

/** Lists the protocols of an endpoint for each VM: `JSON-RPC on EVM, RPC or REST on Move`. */
export function protocolsText(): string {
  return vms.map((vm) => `${rollups[vm].protocols.join(" or ")} on ${rollups[vm].name}`).join(", ");
}
