import { readCosmosEvents, type CometNode, type CosmosEvent, type VmEvent } from "@vipscore/blocks/cosmos";
import type { ChainSource } from "../../chain/chainSource.ts";
import { blockValues } from "../chainColumns.ts";
import type { SourceColumn, SourceValue } from "../policySource.ts";

/** Reader of a source: selects and reads events of a Move or Wasm chain. */
export interface CosmosEventsReader {
  readonly definition: { readonly name: string; readonly kind: string; readonly columns: readonly SourceColumn[] };
  /** Criteria that select the events, as JSON values. */
  readonly identity: object;
  /** Returns true if an event is a row; must not throw. */
  readonly isWanted: (event: VmEvent) => boolean;
  /** The event's contract, and its values of the columns after those of every event. `place` names the event for errors. */
  readonly readValues: (event: VmEvent, place: string) => readonly SourceValue[];
}

/** Creates the source of the events that a reader selects. */
export function cosmosEventsSource(
  { definition: { name, kind, columns }, identity, isWanted, readValues }: CosmosEventsReader,
  node: CometNode,
): ChainSource {
  const rowOf = (event: CosmosEvent): readonly SourceValue[] => {
    const { height, index, txHash } = event;
    const place = `${name}: event ${index} of transaction ${txHash} in block ${height}`;
    return [...blockValues(event), BigInt(index), txHash, ...readValues(event, place)];
  };
  return {
    name,
    kind,
    columns,
    identity: JSON.stringify({ kind, ...identity }),
    async *read({ first, last }, signal) {
      for await (const part of readCosmosEvents(node, { isWanted, first, last, signal })) {
        yield { first: part.first, last: part.last, lastHash: part.lastHash, rows: part.items.map(rowOf) };
      }
    },
  };
}
