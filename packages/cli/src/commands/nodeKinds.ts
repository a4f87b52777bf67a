import type { Vm } from "@vipscore/core";
import type { LocalNodeKind } from "@vipscore/localnet";

/** The nodes of each VM, the default first, and the default port. */
export const nodeKinds: Readonly<Record<Vm, { readonly names: readonly LocalNodeKind[]; readonly port: number }>> = {
  evm: { names: ["hardhat", "anvil"], port: 8545 },
  move: { names: ["vipnode"], port: 1317 },
  wasm: { names: ["vipnode"], port: 26657 },
};
