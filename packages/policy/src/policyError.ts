import type { Hint, VipErrorOptions, Vm } from "@vipscore/core";
import { InputError, VipError } from "@vipscore/core/errors";
import type { QueryJob } from "./run/queryJob.ts";

type ErrorContext = Omit<VipErrorOptions, "code">;

/** Creates `POLICY_INVALID`. `place`: the file, and the field or line in it, such as `policy.toml: source[2].kind`. */
export function policyInvalid(place: string, problem: string, options: ErrorContext = {}): InputError {
  return new InputError(`${place} ${problem}`, { code: "POLICY_INVALID", ...options });
}

/** Creates the error `POLICY_INVALID` for a source of a kind that the rollup's VM does not have. */
export function kindOfOtherVm({ name, kind }: { readonly name: string; readonly kind: string }, vm: Vm): InputError {
  return policyInvalid(
    `policy.toml: source ${name}`,
    `has the kind ${kind}, which a rollup with the ${vm} VM does not have`,
  );
}

/** Creates the error `POLICY_REFUSED`: the query does what no policy may do. */
export function policyRefused(problem: string, options: ErrorContext = {}): InputError {
  return new InputError(problem, { code: "POLICY_REFUSED", ...options });
}

export function policyLimit(problem: string, metaMessages: readonly (string | Hint)[], cause?: unknown): VipError {
  return new VipError(problem, { code: "POLICY_LIMIT", metaMessages, cause });
}

/** The query that reached a limit. */
export type LimitedQuery = Pick<QueryJob, "sql" | "mode" | "limits">;

export function memoryExceeded(query: LimitedQuery, cause?: unknown): VipError {
  return policyLimit(
    `the policy needs more than ${mebibytes(query.limits.memoryMiB)} of memory`,
    lessMemory(query),
    cause,
  );
}

export function diskExceeded(query: LimitedQuery, cause?: unknown): VipError {
  const { limits } = query;
  return policyLimit(
    `the policy needs more than ${mebibytes(limits.memoryMiB)} of memory and ${mebibytes(limits.spillMiB)} of disk`,
    lessMemory(query),
    cause,
  );
}

function mebibytes(count: number): string {
  return `${count.toLocaleString("en-US")} MiB`;
}

/** What needs much memory in a query, and what needs less. */
const advices: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /\b(?:list|array_agg|string_agg|histogram|map)\s*\(/i,
    "Replace the list of an account's rows by count, sum or max.",
  ],
  [/\bover\s*\(/i, "Replace a window over all rows by a sum up to the window's end."],
  [/\bjoin\b/i, "Aggregate before joining, and give each join a condition."],
];

/** Without the optimizer, all pairs of rows of tables between commas are made before WHERE. */
const plainJoins =
  "The scores could not be compared with those without DuckDB's optimizer: write join … on in place of commas and where.";

function lessMemory({ sql, mode }: LimitedQuery): readonly (string | Hint)[] {
  const fitting = advices.flatMap(([pattern, advice]) => (pattern.test(sql) ? [advice] : []));
  const general = "Group the rows earlier, or leave out columns.";
  const more: Hint = { code: "more-memory", text: "Or let it have more memory." };
  return [...(fitting.length > 0 ? fitting : [general]), ...(mode === "plain" ? [plainJoins] : []), more];
}

/** The query's process ended by itself, or something else ended it. `by`: the signal, or `status` with a number. */
export function queryEnded(by: string, lastWords: string): VipError {
  return new VipError(`the query's process ended with ${by} before its last row`, {
    code: "QUERY_ENDED",
    metaMessages: ["It is not known why. If the system was out of memory, its log says so; otherwise try again."],
    ...(lastWords.trim() === "" ? {} : { details: lastWords.trim() }),
  });
}

export function timeExceeded(seconds: number, isPlain: boolean): VipError {
  return policyLimit(`the policy takes more than ${seconds.toLocaleString("en-US")} s of CPU time`, [
    "Aggregate before joining, and end recursions.",
    ...(isPlain ? [plainJoins] : []),
  ]);
}

/** Creates the error `SOURCE_EMPTY`: a source, or a part of it, has no rows. */
export function sourceEmpty(problem: string, advice: string): VipError {
  return new VipError(problem, {
    code: "SOURCE_EMPTY",
    metaMessages: [advice, "If that is right, give the source may_be_empty = true."],
  });
}

/** Creates the error `SOURCE_INVALID`: what a chain has is not what a source names. */
export function sourceInvalid(problem: string, options: ErrorContext = {}): VipError {
  return new VipError(problem, { code: "SOURCE_INVALID", ...options });
}
