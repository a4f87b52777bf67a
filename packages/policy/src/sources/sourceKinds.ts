import { InputError } from "@vipscore/core";
import { optional, text, type Field } from "@vipscore/core/field";
import type { BlockRange, ChainSource } from "../chain/chainSource.ts";
import type { PolicyChain, ResolvedWindow } from "../chain/policyChain.ts";
import type { RollupNode } from "../chain/rollupNode.ts";
import { storedSource } from "../data/storedSource.ts";
import type { AddFile } from "../files/policyFile.ts";
import { policyInvalid } from "../policyError.ts";
import { balancesSource, readBalancesDefinition } from "./balancesSource.ts";
import { moveEventsSource, readMoveEventsDefinition } from "./cosmos/moveEventsSource.ts";
import { readWasmEventsDefinition, wasmEventsSource } from "./cosmos/wasmEventsSource.ts";
import { evmEventsSource, readEvmEventsDefinition } from "./evmEventsSource.ts";
import { nftChangesSource, readNftDefinition, type NftDefinition } from "./nft/nftChangesSource.ts";
import { nftHoldingsSource } from "./nft/nftHoldingsSource.ts";
import { windowSourceName } from "./openSources.ts";
import type { PolicySource } from "./policySource.ts";
import { readReferenceDefinition, referenceSource } from "./referenceSource.ts";
import { requireRows, type Wanted } from "./requireRows.ts";
import type { SourceDefinition, SourceNeed, SourceOrigin } from "./sourceDefinition.ts";
import { readFlag } from "./sourceFields.ts";
import { readTransactionsDefinition, transactionsSource } from "./transactionsSource.ts";

const nftNeeds: readonly SourceNeed[] = ["node", "nftOwners"];

/** All kinds of sources, by their names in `policy.toml`: what each needs, how its settings are read, how it is opened. */
const sourceKinds: ReadonlyMap<string, ReadSource> = new Map(
  Object.entries({
    reference: sourceKind([], readReferenceDefinition, referenceSource),
    evm_events: sourceKind(["node"], readEvmEventsDefinition, openStored(evmEventsSource, fromStartHeight)),
    balances: sourceKind(["node"], readBalancesDefinition, openStored(balancesSource, lastBlock), () => ({
      amounts: "amount",
    })),
    nft_holdings: sourceKind(nftNeeds, readNftDefinition("nft_holdings"), openNftHoldings, byCollections),
    nft_holdings_over_time: sourceKind(
      nftNeeds,
      readNftDefinition("nft_holdings_over_time"),
      openNftHoldings,
      byCollections,
    ),
    move_events: sourceKind(["node"], readMoveEventsDefinition, openStored(moveEventsSource, fromStartHeight)),
    wasm_events: sourceKind(["node"], readWasmEventsDefinition, openStored(wasmEventsSource, fromStartHeight)),
    transactions: sourceKind(["node"], readTransactionsDefinition, openStored(transactionsSource, fromStartHeight)),
  }),
);

function byCollections({ collections }: NftDefinition): Wanted {
  return { collections };
}

/** Reads what a source of one kind says in `policy.toml`. */
interface ReadSource<Definition = SourceDefinition> {
  (source: Field, addFile: AddFile): Definition | Promise<Definition>;
  readonly schema?: object | undefined;
}

function sourceKind<Definition extends Pick<SourceDefinition, "kind" | "name" | "columns">>(
  needs: readonly SourceNeed[],
  read: ReadSource<Definition>,
  open: (definition: Definition, origin: SourceOrigin) => PolicySource,
  wantedOf: (definition: Definition) => Wanted = () => undefined,
): ReadSource {
  const readKind: ReadSource = async (source, addFile) => {
    const definition = await read(source, addFile);
    const mayBeEmpty = optional(readFlag)(source.at("may_be_empty")) ?? false;
    return {
      ...definition,
      needs,
      settings: Object.fromEntries(source.names.map((name) => [name, source.at(name).value])),
      open: (origin) => {
        const opened = open(definition, origin);
        return mayBeEmpty ? opened : requireRows(opened, wantedOf(definition));
      },
    };
  };
  return Object.assign(readKind, { schema: read.schema });
}

export const sourceSchema = {
  anyOf: Array.from(sourceKinds, ([kind, { schema }]) => ({
    allOf: [{ type: "object", properties: { kind: { const: kind } } }, schema],
  })),
};

export async function readSource(source: Field, addFile: AddFile): Promise<SourceDefinition> {
  const kind = source.at("kind");
  const read = sourceKinds.get(text(kind)) ?? kind.failExpected([...sourceKinds.keys()].join(" or "));
  if (source.at("name").value === windowSourceName) source.at("name").fail("is the table of the window");
  return read(source, addFile);
}

/** Opens a kind of source that is read from some blocks of the rollup once, and then stored. */
function openStored<Definition extends { readonly name: string }>(
  open: (definition: Definition, node: RollupNode) => ChainSource,
  blocks: (definition: Definition, window: ResolvedWindow) => BlockRange,
): (definition: Definition, origin: SourceOrigin) => PolicySource {
  return (definition, origin) => {
    const chain = chainOf(definition, origin);
    return storedSource(open(definition, chain.node), { ...chain, window: blocks(definition, chain.window) });
  };
}

/** Opens a source of NFTs: owners follow from all changes before, wherever the window begins. */
function openNftHoldings(definition: NftDefinition, origin: SourceOrigin): PolicySource {
  const { openNftOwners, ...chain } = chainOf(definition, origin);
  if (openNftOwners === undefined) {
    throw new InputError(`source ${definition.name} reads NFTs, and no reader of NFTs is set`, {
      code: "CONFIG_INVALID",
    });
  }
  const owners = openNftOwners(new Set(definition.collections));
  const changes = nftChangesSource(definition, owners);
  const stored = storedSource(changes, { ...chain, window: fromStartHeight(definition, chain.window) });
  const { first, last } = chain.window;
  return nftHoldingsSource(definition, stored, { first: first.height, last: last.height }, owners);
}

/** The block after which state is read: the window's last one. */
function lastBlock(_: unknown, { last: { height } }: ResolvedWindow): BlockRange {
  return { first: height, last: height };
}

/** The window's blocks, and those before it from `startHeight` on. */
function fromStartHeight(
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
