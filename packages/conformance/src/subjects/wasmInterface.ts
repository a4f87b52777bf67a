import { formatBech32, type Account } from "@vipscore/core";
import type { RandomValues } from "../randomValues.ts";

/** The published messages of the reference contract, initia-labs/vip-score-wasm, with any values. */
export function publishedMessages(account: Account): readonly string[] {
  const addr = formatBech32(account);
  return [
    '{"finalize_stage":{"stage":9}}',
    `{"increase_score":{"addr":"${addr}","stage":9,"amount":1}}`,
    `{"decrease_score":{"addr":"${addr}","stage":9,"amount":1}}`,
    `{"update_score":{"addr":"${addr}","stage":9,"amount":1}}`,
    `{"update_scores":{"stage":9,"scores":[["${addr}",1]]}}`,
    `{"add_allow_list":{"addr":"${addr}"}}`,
    `{"remove_allow_list":{"addr":"${addr}"}}`,
  ];
}

/** The published queries about an account with the score 1 as the only row of stage 1, with their answers. */
export function publishedQueries(account: Account): readonly (readonly [query: string, answer: object])[] {
  const addr = formatBech32(account);
  const row = { stage: 1n, addr, score: 1n };
  return [
    [`{"get_score":{"addr":"${addr}","stage":1}}`, row],
    ['{"get_scores":{"stage":1,"limit":5}}', { scores: [row] }],
    [`{"get_scores":{"stage":1,"limit":5,"start_after":"${addr}"}}`, { scores: [] }],
    ['{"get_stage_info":{"stage":1}}', { stage: 1n, total_score: 1n, is_finalized: false }],
  ];
}

/** Whether a contract refused a message because it has no such message, or not with these fields. */
export function isUnknownMessage(details: string | undefined): boolean {
  return /Error parsing into type/.test(details ?? "");
}

/** Returns the messages that a contract names when it refuses an unknown one. */
export function namedMessages(details: string | undefined): readonly string[] {
  const [, list = ""] = /unknown variant `\w+`, expected (?:one of )?(.*)/.exec(details ?? "") ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** How a field may have to be filled, the commonest first. */
const kinds: readonly ((values: RandomValues) => string)[] = [
  (values) => String(values.number(64)),
  (values) => JSON.stringify(formatBech32(values.account())),
  (values) => listOf(values, () => `["${formatBech32(values.account())}",${values.number(64)}]`),
  (values) => listOf(values, () => JSON.stringify(formatBech32(values.account()))),
  (values) => String(values.flag()),
  (values) => JSON.stringify(values.bytes(29).toString("base64")),
  (values) => listOf(values, () => String(values.number(64))),
  () => "null",
  () => "{}",
];

function listOf(values: RandomValues, element: () => string): string {
  return `[${Array.from({ length: values.length }, element).join(",")}]`;
}

/** The required fields of a message, each with the index of its kind. */
export type MessageFields = ReadonlyMap<string, number>;

/** Writes a message with random values. */
export function randomMessage(name: string, fields: MessageFields, values: RandomValues): string {
  const written = [...fields].map(([field, kind]) => `"${field}":${kinds[kind]?.(values) ?? "null"}`);
  return `{"${name}":{${written.join(",")}}}`;
}

/**
 * Finds the required fields of a message by sending it: a contract that cannot parse a message names a missing field, or refuses
 * the kind of the last one.
 */
export async function findFields(
  name: string,
  values: RandomValues,
  send: (message: string) => Promise<string | undefined>,
): Promise<MessageFields> {
  const fields = new Map<string, number>();
  let last: string | undefined;
  for (;;) {
    const details = await send(randomMessage(name, fields, values));
    if (!isUnknownMessage(details)) return fields;
    const missing = /missing field `(\w+)`/.exec(details ?? "")?.[1];
    if (missing !== undefined && !fields.has(missing)) {
      fields.set(missing, 0);
      last = missing;
      continue;
    }
    const kind = last === undefined ? kinds.length : (fields.get(last) ?? 0) + 1;
    if (last === undefined || kind >= kinds.length) return fields;
    fields.set(last, kind);
  }
}
