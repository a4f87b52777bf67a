import { InputError } from "@vipscore/core";
import type { BlockRange, ChainSource } from "../chain/chainSource.ts";
import type { PolicyChain } from "../chain/policyChain.ts";
import type { ResolvedWindow } from "../chain/resolveWindow.ts";
import type { RollupNode } from "../chain/rollupNode.ts";
import { storedSource } from "../data/storedSource.ts";
import { policyInvalid } from "../policyError.ts";
import { nftChangesSource, type NftDefinition } from "./nft/nftChangesSource.ts";
import { nftHoldingsSource } from "./nft/nftHoldingsSource.ts";
import type { PolicySource } from "./policySource.ts";
import type { SourceOrigin } from "./sourceDefinition.ts";

/** Opens a kind of source that is read from some blocks of the rollup once, and then stored. */
export function openStored<Definition extends { readonly name: string }>(
  open: (definition: Definition, node: RollupNode) => ChainSource,
  blocks: (definition: Definition, window: ResolvedWindow) => BlockRange,
): (definition: Definition, origin: SourceOrigin) => PolicySource {
  return (definition, origin) => {
    const chain = chainOf(definition, origin);
    return storedSource(open(definition, chain.node), { ...chain, window: blocks(definition, chain.window) });
  };
}

/** Opens a source of NFTs: owners follow from all changes before, wherever the window begins. */
export function openNftHoldings(definition: NftDefinition, origin: SourceOrigin): PolicySource {
  const { openNftOwners, ...chain } = chainOf(definition, origin);
  if (openNftOwners === undefined) {
    throw new InputError(`source ${definition.name} reads NFTs, and no reader of NFTs is set`, {
      code: "CONFIG_INVALID",
    });
  }
  const changes = nftChangesSource(definition, openNftOwners(new Set(definition.collections)));
  const stored = storedSource(changes, { ...chain, window: fromStartHeight(definition, chain.window) });
  const { first, last } = chain.window;
  return nftHoldingsSource(definition, stored, { first: first.height, last: last.height });
}

/** The block after which state is read: the window's last one. */
export function lastBlock(_: unknown, { last: { height } }: ResolvedWindow): BlockRange {
  return { first: height, last: height };
}

/** The window's blocks, and those before it from `startHeight` on. @throws InputError `POLICY_INVALID`. */
export function fromStartHeight(
  { name, startHeight }: { readonly name: string; readonly startHeight: number | undefined },
  { first, last }: ResolvedWindow,
): BlockRange {
  if (startHeight === undefined || startHeight <= first.height) {
    return { first: startHeight ?? first.height, last: last.height };
  }
  throw policyInvalid(
    `policy.toml: source ${name}`,
    `has the start_height ${startHeight}, after the window's first block, ${first.height}`,
  );
}

function chainOf({ name }: { readonly name: string }, { chain }: SourceOrigin): PolicyChain {
  if (chain !== undefined) return chain;
  throw new InputError(`source ${name} reads the rollup, and no endpoint is set`, { code: "CONFIG_INVALID" });
}
