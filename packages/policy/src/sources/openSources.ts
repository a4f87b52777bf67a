import { InputError } from "@vipscore/core";
import type { ChainSource } from "../chain/chainSource.ts";
import { isOfChain, type PolicyChain } from "../chain/policyChain.ts";
import type { RollupNode } from "../chain/rollupNode.ts";
import { storedSource } from "../data/storedSource.ts";
import type { ChainDefinition, Policy, StateDefinition } from "../policy.ts";
import { policyInvalid } from "../policyError.ts";
import { moveEventsSource } from "./cosmos/moveEventsSource.ts";
import { wasmEventsSource } from "./cosmos/wasmEventsSource.ts";
import { evmEventsSource } from "./evm/evmEventsSource.ts";
import { nftChangesSource } from "./nft/nftChangesSource.ts";
import type { NftDefinition } from "./nft/nftDefinition.ts";
import { nftHoldingsSource } from "./nft/nftHoldingsSource.ts";
import type { PolicySource } from "./policySource.ts";
import { referenceSource } from "./referenceSource.ts";
import { openStateSource } from "./state/openStateSource.ts";
import { cosmosTransactionsSource } from "./transactions/cosmosTransactionsSource.ts";
import { evmTransactionsSource } from "./transactions/evmTransactionsSource.ts";
import { windowSource } from "./windowSource.ts";

/**
 * Opens the sources of a policy, in its order, and then the table of its window if one of them reads the rollup. Nothing is read until a source is collected.
 *
 * @param chain The policy's rollup; needed by sources that read it.
 * @throws InputError `CONFIG_INVALID` without a rollup that a source needs, `POLICY_INVALID` for a kind of another VM.
 */
export function openSources(policy: Policy, chain?: PolicyChain): readonly PolicySource[] {
  const sources = policy.sources.map((definition) => {
    if (!isOfChain(definition)) return referenceSource(policy, definition);
    if (chain === undefined) {
      throw new InputError(`source ${definition.name} reads the rollup, and no endpoint is set`, {
        code: "CONFIG_INVALID",
      });
    }
    return openStored(definition, chain);
  });
  return chain === undefined ? sources : [...sources, windowSource(chain.window)];
}

/** Opens a source that is read from the rollup once, and stored. */
function openStored(definition: ChainDefinition, { window, ...chain }: PolicyChain): PolicySource {
  const blocks = { first: window.first.height, last: window.last.height };
  if (isOfState(definition)) {
    const last = { first: blocks.last, last: blocks.last };
    return storedSource(openStateSource(definition, chain.node), { ...chain, window: last });
  }
  const { startHeight = blocks.first } = definition;
  if (startHeight > blocks.first) {
    throw policyInvalid(
      `policy.toml: source ${definition.name}`,
      `has the start_height ${startHeight}, after the window's first block, ${blocks.first}`,
    );
  }
  const { openNftOwners, ...store } = { ...chain, window: { first: startHeight, last: blocks.last } };
  if (!isOfNfts(definition)) return storedSource(openChainSource(definition, chain.node), store);
  if (openNftOwners === undefined) {
    throw new InputError(`source ${definition.name} reads NFTs, and no reader of NFTs is set`, {
      code: "CONFIG_INVALID",
    });
  }
  // Owners follow from all changes before, wherever the window begins.
  const changes = nftChangesSource(definition, openNftOwners(new Set(definition.collections)));
  return nftHoldingsSource(definition, storedSource(changes, store), blocks);
}

function isOfNfts(definition: ChainDefinition): definition is NftDefinition {
  return definition.kind === "nft_holdings" || definition.kind === "nft_holdings_over_time";
}

function isOfState(definition: ChainDefinition): definition is StateDefinition {
  return definition.kind === "balances" || definition.kind === "view";
}

function openChainSource(
  definition: Exclude<ChainDefinition, NftDefinition | StateDefinition>,
  node: RollupNode,
): ChainSource {
  switch (definition.kind) {
    case "evm_events":
      if (node.vm !== "evm") break;
      return evmEventsSource(definition, node.rpc);
    case "move_events":
      if (node.vm !== "move") break;
      return moveEventsSource(definition, node.comet);
    case "wasm_events":
      if (node.vm !== "wasm") break;
      return wasmEventsSource(definition, node.comet);
    case "transactions":
      if (node.vm === "evm") return evmTransactionsSource(definition, node.rpc);
      return cosmosTransactionsSource(definition, node.comet);
  }
  throw otherVm(definition, node);
}

function otherVm({ name, kind }: ChainDefinition, { vm }: RollupNode): InputError {
  return policyInvalid(
    `policy.toml: source ${name}`,
    `is of kind ${kind}, which a rollup with the ${vm} VM does not have`,
  );
}
