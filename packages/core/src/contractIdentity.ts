/** All virtual machines. */
export const vms = ["evm", "move", "wasm"] as const;

/** The virtual machine of a rollup. */
export type Vm = (typeof vms)[number];

/** A contract and its chain; written into the journal and compared on resume. */
export interface ContractIdentity {
  readonly vm: Vm;
  /** The chain id as the chain spells it: decimal on EVM, text on Move and Wasm. */
  readonly chainId: string;
  /** The contract's address as the chain spells it. */
  readonly address: string;
}

/** What a contract can do beyond the published interface, by the entry points that it has. */
export interface ContractFeatures {
  /** The checked finalize, and the revision of a stage that it compares. */
  readonly checkedFinalize: boolean;
  /** The packed entry point, and storage and pages like those of the vipscore contract. */
  readonly packed: boolean;
  /** Owner, finalizer, and a list of members. */
  readonly roles: boolean;
}

/** The features of the vipscore contract. */
export const allFeatures: ContractFeatures = { checkedFinalize: true, packed: true, roles: true };

/** The features of a reference contract. */
export const noFeatures: ContractFeatures = { checkedFinalize: false, packed: false, roles: false };
