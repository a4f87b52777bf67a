import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import type { StateDefinition } from "../../policy.ts";
import { policyInvalid } from "../../policyError.ts";
import { cosmosBalances, moveView, wasmView } from "./cosmosState.ts";
import { evmBalances, evmView } from "./evmState.ts";
import { stateSource, type AccountValues } from "./stateSource.ts";

/** Opens a source of what accounts have after a block. @throws InputError `POLICY_INVALID` for the fields of another VM. */
export function openStateSource(definition: StateDefinition, node: RollupNode): ChainSource {
  return stateSource(definition, openValues(definition, node), node);
}

function openValues(definition: StateDefinition, node: RollupNode): AccountValues {
  const { name } = definition;
  if (definition.kind === "balances") {
    const { denom, token } = definition;
    if (node.vm === "evm" && denom === undefined) return evmBalances(definition, node.rpc);
    if (node.vm !== "evm" && denom !== undefined && token === undefined) return cosmosBalances(name, denom, node.comet);
  } else {
    const { view } = definition;
    if (node.vm === "evm" && view.vm === "evm") return evmView(definition, view, node.rpc);
    if (node.vm === "move" && view.vm === "move") return moveView(name, view, node.comet);
    if (node.vm === "wasm" && view.vm === "wasm") return wasmView(name, view, node.comet);
  }
  throw policyInvalid(
    `policy.toml: source ${name}`,
    `does not have the fields of its kind on a rollup with the ${node.vm} VM`,
  );
}
