import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import type { BalancesDefinition } from "./balancesDefinition.ts";
import { cosmosBalances } from "./cosmosState.ts";
import { evmBalances } from "./evmState.ts";
import { fieldsOfOtherVm, stateSource } from "./stateSource.ts";

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
