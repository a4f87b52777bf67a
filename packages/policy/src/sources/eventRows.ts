import { VipError } from "@vipscore/core";
import { oneOf, optional, withSchema, type Field } from "@vipscore/core/field";
import type { SourcePart } from "../chain/chainSource.ts";
import type { SourceRow } from "./policySource.ts";

/** An event has a value that its column cannot hold. Anyone can emit one, so that a policy may allow some. */
export class MisfitError extends VipError {
  static override readonly className: string = "MisfitError";

  override readonly name: string = "MisfitError";

  constructor(problem: string, options: { readonly metaMessages?: readonly string[]; readonly cause?: unknown } = {}) {
    super(problem, { code: "SOURCE_INVALID", ...options });
  }
}

/** Misfits that a policy may allow: the manifest lists each. */
const mostMisfits = 1000;

/** The fields with which a policy leaves out events that do not fit. */
export const misfitFields = {
  on_misfit: optional(oneOf(["reject"])),
  max_misfits: optional(withSchema({ type: "integer", minimum: 1, maximum: mostMisfits }, readMost)),
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

function readMost(field: Field): number {
  const { value } = field;
  const isMost = typeof value === "bigint" && value >= 1n && value <= BigInt(mostMisfits);
  return isMost ? Number(value) : field.failExpected(`1 to ${mostMisfits}`);
}

interface EventPlace {
  readonly height: number;
  readonly txHash: string;
}

/** Makes rows of events; `indexOf` gives their `event_index`. @throws the first MisfitError of `rowOf`, unless left out. */
export function eventRows<E extends EventPlace>(
  events: readonly E[],
  rowOf: (event: E) => SourceRow,
  { indexOf, isRejecting }: { readonly indexOf: (event: E) => number; readonly isRejecting: boolean },
): Required<Pick<SourcePart, "rows" | "misfits">> {
  const rows: SourceRow[] = [];
  const misfits: NonNullable<SourcePart["misfits"]>[number][] = [];
  for (const event of events) {
    try {
      rows.push(rowOf(event));
    } catch (error) {
      if (!isRejecting || !(error instanceof MisfitError)) throw error;
      misfits.push({ height: event.height, transaction: event.txHash, event: indexOf(event) });
    }
  }
  return { rows, misfits };
}
