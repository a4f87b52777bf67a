import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import type { StateDefinition } from "../../policy.ts";
import { policyInvalid } from "../../policyError.ts";
import { evmBalances, evmView } from "./evmState.ts";
import { stateSource, type AccountValues } from "./stateSource.ts";

/** Opens a source of what accounts have after a block. @throws InputError `POLICY_INVALID` for the fields of another VM. */
export function openStateSource(definition: StateDefinition, node: RollupNode): ChainSource {
  return stateSource(definition, openValues(definition, node), node);
}

function openValues(definition: StateDefinition, node: RollupNode): AccountValues {
  if (definition.kind === "balances") {
    if (node.vm === "evm" && definition.denom === undefined) return evmBalances(definition, node.rpc);
  } else {
    const { view } = definition;
    if (node.vm === "evm" && view.vm === "evm") return evmView(definition, view, node.rpc);
  }
  throw policyInvalid(
    `policy.toml: source ${definition.name}`,
    `has fields that a rollup with the ${node.vm} VM does not have`,
  );
}
