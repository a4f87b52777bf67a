import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import type { BalancesDefinition } from "./balancesDefinition.ts";
import { cosmosBalances, moveView, wasmView } from "./cosmosState.ts";
import { evmBalances, evmView } from "./evmState.ts";
import { fieldsOfOtherVm, stateSource, type AccountValues } from "./stateSource.ts";
import type { ViewDefinition } from "./viewDefinition.ts";

/** Opens a source of what accounts have after a block. @throws InputError `POLICY_INVALID` for the fields of another VM. */
export function balancesSource(definition: BalancesDefinition, node: RollupNode): ChainSource {
  const { name, denom, token } = definition;
  if (node.vm === "evm" && denom === undefined) {
    return stateSource(definition, evmBalances(definition, node.rpc), node);
  }
  if (node.vm !== "evm" && denom !== undefined && token === undefined) {
    return stateSource(definition, cosmosBalances(name, denom, node.comet), node);
  }
  throw fieldsOfOtherVm(definition, node);
}

/** Opens a source of what a contract answers for accounts. @throws InputError `POLICY_INVALID` for a view of another VM. */
export function viewSource(definition: ViewDefinition, node: RollupNode): ChainSource {
  return stateSource(definition, openView(definition, node), node);
}

function openView(definition: ViewDefinition, node: RollupNode): AccountValues {
  const { name, view } = definition;
  if (node.vm === "evm" && view.vm === "evm") return evmView(definition, view, node.rpc);
  if (node.vm === "move" && view.vm === "move") return moveView(name, view, node.comet);
  if (node.vm === "wasm" && view.vm === "wasm") return wasmView(name, view, node.comet);
  throw fieldsOfOtherVm(definition, node);
}
