import type { HexAddress } from "@vipscore/blocks";
import { readCosmosEvents, type CometNode, type CosmosEvent, type VmEvent } from "@vipscore/blocks/cosmos";
import { quoteText } from "@vipscore/core/errors";
import type { ChainSource } from "../../chain/chainSource.ts";
import { convertValue, ValueProblem } from "../convertValue.ts";
import { eventsSource, type EventsReader } from "../eventRows.ts";
import type { SourceColumn, SourceValue } from "../policySource.ts";
import type { EventFields } from "./eventFields.ts";

interface CosmosEventsReader extends Pick<EventsReader<VmEvent>, "identity" | "readValues"> {
  /** Returns true if an event is a row; must not throw. */
  readonly isWanted: (event: VmEvent) => boolean;
}

/** Makes a source of the events of a Move or Wasm chain. */
export function cosmosEventsSource(
  definition: EventFields & Pick<ChainSource, "name" | "kind">,
  { isWanted, ...reader }: CosmosEventsReader,
  node: CometNode,
): ChainSource {
  return eventsSource<CosmosEvent>(definition, {
    ...reader,
    indexOf: ({ index }) => index,
    async *read({ first, last }, signal) {
      for await (const { items, ...part } of readCosmosEvents(node, { isWanted, first, last, signal })) {
        yield { ...part, events: items };
      }
    },
  });
}

/** Levels of a value in Move's VM, so no event of a chain has more. `JSON.stringify` fails at some thousands. */
const maxDepth = 128;

/**
 * Converts a field of an event to what its column holds, or says why it cannot. A list or a structure becomes its JSON in
 * a column of text, if it is nested at most 128 deep.
 *
 * @param value A value that `JSON.parse` made; a number beyond 2^53 is refused, because it may be rounded.
 */
export function fieldValue(
  value: unknown,
  column: SourceColumn,
  readAddress: (text: string) => HexAddress | undefined,
): SourceValue | ValueProblem {
  const { name, type, nullable } = column;
  if (nullable === true && (value === undefined || value === null)) return null;
  if (type === "address" && typeof value === "string") {
    return readAddress(value) ?? new ValueProblem(`${name} ${quoteText(value)} is not an address`);
  }
  if (type === "integer" && typeof value === "number") {
    if (Number.isSafeInteger(value)) return BigInt(value);
    return new ValueProblem(`${name} ${value} is not an exact integer`);
  }
  if (type === "text" && typeof value === "object" && value !== null) {
    if (isDeeper(value, maxDepth)) return new ValueProblem(`${name} is nested more than ${maxDepth} deep`);
    return JSON.stringify(value);
  }
  return convertValue(value, column);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}
