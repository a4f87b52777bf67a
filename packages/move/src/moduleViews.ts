import type { PinnedOptions, ReadOptions, ScoreRow, ScoreTable, Stage, StageInfo } from "@vipscore/core";
import { readPages, type ReadPages } from "@vipscore/core/engine";
import { RestError, type Answer, type ReadAnswer } from "@vipscore/core/wire";
import { encodeAddressOption, encodeU16, encodeU64 } from "./bcs.ts";
import { moduleName, type ModuleReader } from "./moduleStore.ts";
import { compareAddresses, readAddress } from "./moveAddress.ts";

/** A view of the module, and its BCS arguments. */
export interface ViewCall {
  readonly name: string;
  readonly args?: readonly Buffer[];
}

/** Reads the JSON value of a view at a height (default: the newest), with 64-bit integers as strings. @throws RestError. */
export function readView<T>(
  reader: ModuleReader,
  call: ViewCall,
  read: ReadAnswer<T>,
  options: ReadOptions,
): Promise<T> {
  const readData: ReadAnswer<T> = (answer) => read(answer.field("data").json());
  return reader.rest.query("/initia/move/v1/view", requestOf(reader, call), readData, options);
}

function requestOf({ address }: ModuleReader, { name, args = [] }: ViewCall) {
  return {
    address,
    module_name: moduleName,
    function_name: name,
    type_args: [],
    args: args.map((arg) => arg.toString("base64")),
  };
}

/** True if the VM did not complete a view: the module does not have it, or it aborted. */
export function isViewFailure(error: unknown): boolean {
  return error instanceof RestError && /VM (error|failure|aborted)/.test(error.details ?? "");
}

/** Reads a stage with its revision in one call, from the view `get_stage` of our module; undefined if it was never created. */
export function readStageInfo(
  reader: ModuleReader,
  stage: Stage,
  options: ReadOptions,
): Promise<StageInfo | undefined> {
  const read = (value: Answer): StageInfo | undefined => {
    if (!value.field("exists").boolean()) return undefined;
    return {
      stage,
      total: value.field("total_score").u64(),
      isFinalized: value.field("is_finalized").boolean(),
      count: value.field("score_count").u64(),
      revision: value.field("revision").u64(),
    };
  };
  return readView(reader, { name: "get_stage", args: [encodeU64(stage)] }, read, options);
}

/** The most rows that the view `get_scores` returns. */
const limit = 1_000;

/** Pages in one request. Each takes up to 640,937 gas, and a node allows a query 3,000,000. */
const together = 4;

/** Yields the rows of a stage at one height from the view `get_scores`, in descending order of account. */
export function readRows(
  reader: ModuleReader,
  stage: Stage,
  options: PinnedOptions & { readonly count: bigint; readonly table?: ScoreTable | undefined },
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const read: ReadPages = (starts, signal) => {
    const calls = starts.map(({ after }): ViewCall => {
      return { name: "get_scores", args: [encodeU64(stage), encodeU16(limit), encodeAddressOption(after)] };
    });
    const body = { requests: calls.map((call) => requestOf(reader, call)) };
    const readRowsOf = (answer: Answer): readonly (readonly ScoreRow[])[] => {
      const responses = answer.field("responses").elements();
      if (responses.length !== starts.length) return answer.unreadable(`the responses to ${starts.length} views`);
      return responses.map((response, page) => {
        const rows = readScoreRows(response.field("data").json());
        const left = starts[page]?.left ?? 0n;
        return rows.length <= left ? rows : response.unreadable(`at most the ${left} remaining rows`);
      });
    };
    return reader.rest.query("/initia/move/v1/view/batch", body, readRowsOf, { ...options, signal });
  };
  return readPages(read, { ...options, limit, together, compare: (a, b) => compareAddresses(b, a) });
}

function readScoreRows(value: Answer): readonly ScoreRow[] {
  const rows = value.field("scores").elements();
  return rows.map((row) => ({ account: readAddress(row.field("addr")), score: row.field("score").u64() }));
}
