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
