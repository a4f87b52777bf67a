import { VipError, type VipErrorOptions } from "@vipscore/core";
import { oneOf, optional, type Field } from "@vipscore/core/field";
import type { BlockRange, ChainSource, SourcePart } from "../chain/chainSource.ts";
import type { Misfit, SourceRow, SourceValue } from "./policySource.ts";
import { blockValues, integer, type BlockPlace } from "./sourceFields.ts";

/** An event has a value that its column cannot hold. Anyone can emit one, so that a policy may allow some. */
export class MisfitError extends VipError {
  static override readonly className: string = "MisfitError";

  override readonly name: string = "MisfitError";

  constructor(problem: string, options: Omit<VipErrorOptions, "code"> = {}) {
    super(problem, { code: "SOURCE_INVALID", ...options });
  }
}

/** Misfits that a policy may allow: the manifest lists each. */
const mostMisfits = 1000;

/** The fields with which a policy leaves out events that do not fit. */
export const misfitFields = {
  on_misfit: optional(oneOf(["reject"])),
  max_misfits: optional(integer({ minimum: 1, maximum: mostMisfits }, `1 to ${mostMisfits}`)),
};

/** Returns how many events may not fit; undefined if none may. */
export function maxMisfits(
  source: Field,
  {
    on_misfit: onMisfit,
    max_misfits: most,
  }: { [Name in keyof typeof misfitFields]: ReturnType<(typeof misfitFields)[Name]> },
): number | undefined {
  if (onMisfit === undefined && most !== undefined) source.at("on_misfit").failExpected("reject");
  return onMisfit === undefined ? undefined : (most ?? source.at("max_misfits").failExpected("a number"));
}

/** How the events of a source are read. */
export interface EventsReader<E> {
  /** Criteria that select the events, as JSON values. */
  readonly identity: object;
  readonly assumed?: string | undefined;
  readonly read: (range: BlockRange, signal: AbortSignal) => AsyncIterable<EventsPart<E>>;
  /** The event's `event_index`. */
  readonly indexOf: (event: E) => number;
  /** The event's contract, and its values of the columns after those of every event. `placeOf` names the event for errors. */
  readonly readValues: (event: E, placeOf: () => string) => readonly SourceValue[];
}

type EventsPart<E> = Omit<SourcePart, "rows" | "misfits"> & { readonly events: readonly E[] };

/** Makes a source of events. Its reader throws the first MisfitError, unless the policy leaves such events out. */
export function eventsSource<E extends BlockPlace & { readonly txHash: string }>(
  { name, kind, columns, maxMisfits: most }: Pick<ChainSource, "name" | "kind" | "columns" | "maxMisfits">,
  { identity, assumed, read, indexOf, readValues }: EventsReader<E>,
): ChainSource {
  const isRejecting = most !== undefined;
  return {
    name,
    kind,
    columns,
    identity: JSON.stringify({ kind, ...identity, isRejecting }),
    maxMisfits: most,
    assumed,
    async *read(range, signal) {
      for await (const { events, ...part } of read(range, signal)) {
        const rows: SourceRow[] = [];
        const misfits: Misfit[] = [];
        for (const event of events) {
          const { height, txHash } = event;
          const index = indexOf(event);
          const placeOf = () => `${name}: event ${index} of transaction ${txHash} in block ${height}`;
          try {
            rows.push([...blockValues(event), BigInt(index), txHash, ...readValues(event, placeOf)]);
          } catch (error) {
            if (!isRejecting || !(error instanceof MisfitError)) throw error;
            misfits.push({ height, transaction: txHash, event: index });
          }
        }
        yield { ...part, rows, misfits };
      }
    },
  };
}
