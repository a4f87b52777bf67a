import { text, type Field } from "@vipscore/core/field";
import type { AddFile } from "../files/policyFile.ts";
import { moveEventsSource, readMoveEventsDefinition } from "./cosmos/moveEventsSource.ts";
import { readWasmEventsDefinition, wasmEventsSource } from "./cosmos/wasmEventsSource.ts";
import { evmEventsSource, readEvmEventsDefinition } from "./evmEventsSource.ts";
import { readNftDefinition } from "./nft/nftChangesSource.ts";
import { windowSourceName } from "./openSources.ts";
import { fromStartHeight, lastBlock, openNftHoldings, openStored } from "./openStored.ts";
import type { PolicySource } from "./policySource.ts";
import { readReferenceDefinition, referenceSource } from "./referenceSource.ts";
import type { SourceDefinition, SourceNeed, SourceOrigin } from "./sourceDefinition.ts";
import { readBalancesDefinition } from "./state/balancesDefinition.ts";
import { balancesSource, viewSource } from "./state/openState.ts";
import { readViewDefinition } from "./state/viewDefinition.ts";
import { readTransactionsDefinition, transactionsSource } from "./transactionsSource.ts";

/** All kinds of sources, by their names in `policy.toml`: what each needs, how its settings are read, how it is opened. */
const sourceKinds: ReadonlyMap<string, ReadSource> = new Map(
  Object.entries({
    reference: sourceKind([], readReferenceDefinition, referenceSource),
    evm_events: sourceKind(["node"], readEvmEventsDefinition, openStored(evmEventsSource, fromStartHeight)),
    balances: sourceKind(["node"], readBalancesDefinition, openStored(balancesSource, lastBlock)),
    view: sourceKind(["node"], readViewDefinition, openStored(viewSource, lastBlock)),
    nft_holdings: sourceKind(["node", "nftOwners"], readNftDefinition("nft_holdings"), openNftHoldings),
    nft_holdings_over_time: sourceKind(
      ["node", "nftOwners"],
      readNftDefinition("nft_holdings_over_time"),
      openNftHoldings,
    ),
    move_events: sourceKind(["node"], readMoveEventsDefinition, openStored(moveEventsSource, fromStartHeight)),
    wasm_events: sourceKind(["node"], readWasmEventsDefinition, openStored(wasmEventsSource, fromStartHeight)),
    transactions: sourceKind(["node"], readTransactionsDefinition, openStored(transactionsSource, fromStartHeight)),
  }),
);

/** Reads what a source of one kind says in `policy.toml`. */
type ReadSource<Definition = SourceDefinition> = (source: Field, addFile: AddFile) => Definition | Promise<Definition>;

function sourceKind<Definition extends { readonly kind: string; readonly name: string }>(
  needs: readonly SourceNeed[],
  read: ReadSource<Definition>,
  open: (definition: Definition, origin: SourceOrigin) => PolicySource,
): ReadSource {
  return async (...given) => {
    const definition = await read(...given);
    return { ...definition, needs, open: (origin) => open(definition, origin) };
  };
}

/** Reads a `[[source]]` of a policy. @throws InputError `POLICY_INVALID`, `FILE_UNREADABLE`. */
export async function readSource(source: Field, addFile: AddFile): Promise<SourceDefinition> {
  const kind = source.at("kind");
  const read = sourceKinds.get(text(kind)) ?? kind.expected([...sourceKinds.keys()].join(" or "));
  if (source.at("name").value === windowSourceName) source.at("name").wrong("is the table of the window");
  return read(source, addFile);
}
