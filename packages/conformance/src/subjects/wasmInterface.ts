import { formatBech32, InputError, type Account } from "@vipscore/core";
import type { JsonSchema } from "../contractCode.ts";
import type { RandomValues } from "../seededRandom.ts";
import { NoSuchCall, type Row, type SubjectCall } from "../subject.ts";

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

/** Returns the messages, or the fields, that a contract names when it refuses an unknown one. */
export function expectedNames(details: string | undefined): readonly string[] {
  const [, list = ""] = /unknown (?:variant|field) `\w+`, expected (?:one of )?(.*)/.exec(details ?? "") ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

/** How a field may have to be filled, the commonest first. */
const kinds: readonly ((values: RandomValues) => string)[] = [
  (values) => String(values.number(64)),
  (values) => JSON.stringify(formatBech32(values.account())),
  (values) => jsonList(values, () => `["${formatBech32(values.account())}",${values.number(64)}]`),
  (values) => jsonList(values, () => JSON.stringify(formatBech32(values.account()))),
  (values) => String(values.flag()),
  (values) => JSON.stringify(values.bytes(29).toString("base64")),
  (values) => jsonList(values, () => String(values.number(64))),
  () => "null",
  () => "{}",
];

function jsonList(values: RandomValues, element: () => string): string {
  return `[${Array.from({ length: values.length }, element).join(",")}]`;
}

/** The fields of a message: the index of the kind of each, and whether it may be left out. */
export interface MessageFields {
  readonly kinds: ReadonlyMap<string, number>;
  readonly optional: ReadonlySet<string>;
}

/** Writes the content of a message with random values. */
export function randomContent({ kinds: found, optional }: MessageFields, values: RandomValues): string {
  const written = [...found].filter(([field]) => !optional.has(field) || values.flag() || values.flag());
  return contentOf(new Map(written), values);
}

function contentOf(fields: ReadonlyMap<string, number>, values: RandomValues): string {
  return `{${[...fields].map(([field, kind]) => `"${field}":${kinds[kind]?.(values) ?? "null"}`).join(",")}}`;
}

/**
 * Finds the fields of a message by sending its content: a contract that cannot parse it names what it expects instead of an
 * unknown field, which most do, and a missing field, or refuses the kind of the last one.
 */
export async function findFields(
  values: RandomValues,
  send: (content: string) => Promise<string | undefined>,
): Promise<MessageFields> {
  const required = await findRequired(values, send);
  const found = new Map(required);
  const optional = new Set<string>();
  for (const field of expectedNames(await send('{"vipscore_conformance":0}'))) {
    if (required.has(field)) continue;
    for (let kind = 0; kind < kinds.length && !optional.has(field); kind += 1) {
      if (isUnknownMessage(await send(contentOf(new Map([...required, [field, kind]]), values)))) continue;
      optional.add(field);
      found.set(field, kind);
    }
  }
  return { kinds: found, optional };
}

async function findRequired(values: RandomValues, send: (content: string) => Promise<string | undefined>) {
  const fields = new Map<string, number>();
  let last: string | undefined;
  for (;;) {
    const details = await send(contentOf(fields, values));
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

/** Returns the messages of a schema: the schema of each message's content, by the message's name. */
export function messagesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const messages = new Map<string, JsonSchema>();
  const seen = new Set<JsonSchema>();
  const add = (part: JsonSchema): void => {
    const one = resolved(part, schema);
    if (seen.has(one)) return;
    seen.add(one);
    for (const variant of [...(one.anyOf ?? []), ...(one.oneOf ?? []), ...(one.allOf ?? [])]) add(variant);
    for (const [name, content] of Object.entries(one.properties ?? {})) messages.set(name, content);
  };
  add(schema);
  return messages;
}

/** Writes a message with random values in the form that a schema has for it. */
export function schemaMessage(schema: JsonSchema, name: string, values: RandomValues): string {
  return `{"${name}":${randomJson(messagesOf(schema).get(name) ?? {}, schema, values, 0)}}`;
}

function resolved(part: JsonSchema, { definitions }: JsonSchema): JsonSchema {
  return definitions?.[part.$ref?.replace("#/definitions/", "") ?? ""] ?? part;
}

/** Types that are text in JSON and have a form of their own. */
const scalars: Readonly<Record<string, (values: RandomValues) => string>> = {
  Binary: (values) => values.bytes(29).toString("base64"),
  Uint64: (values) => String(values.number(64)),
  Uint128: (values) => String(values.number(64)),
  Decimal: (values) => `0.${values.number(16)}`,
};

/** Depth from which a value of a recursive type is as small as its schema allows. */
const smallFrom = 4;

/** No value of a schema that ends is deeper. */
const deepest = 200;

function randomJson(part: JsonSchema, schema: JsonSchema, values: RandomValues, depth: number): string {
  const isSmall = depth >= smallFrom;
  if (depth > deepest) throw new InputError("the schema of the messages has a type without an end");
  const text = scalars[part.$ref?.replace("#/definitions/", "") ?? ""];
  if (text !== undefined) return JSON.stringify(text(values));
  const { type, format, properties, items, allOf = [], anyOf = [], oneOf = [], ...more } = resolved(part, schema);
  // An optional value is left out or has one: null says no more than its absence.
  const choices = [...anyOf, ...oneOf, ...allOf].filter((one) => isSmall || one.type !== "null");
  const choice = choices[values.flag() ? 0 : choices.length - 1];
  if (choice !== undefined) {
    const least = choices.find((one) => one.type === "null") ?? choices.find((one) => !one.$ref) ?? choice;
    return randomJson(isSmall ? least : choice, schema, values, depth + 1);
  }
  if (more.enum !== undefined) return JSON.stringify(more.enum[0]);
  const [first = "object", ...others] = [type ?? "object"].flat();
  if (others.includes("null") && isSmall) return "null";
  switch (first) {
    case "integer":
    case "number":
      return String(values.number(Math.min(64, Number(/\d+$/.exec(format ?? "")?.[0] ?? 64))));
    case "boolean":
      return String(values.flag());
    case "string":
      return JSON.stringify(formatBech32(values.account()));
    case "array": {
      const isList = items !== undefined && !("length" in items);
      const elements = isList ? oneEach(items, isSmall ? 0 : values.length) : (items ?? []);
      return `[${elements.map((element) => randomJson(element, schema, values, depth + 1)).join(",")}]`;
    }
    case "null":
      return "null";
    default: {
      const required = new Set(more.required);
      const fields = Object.entries(properties ?? {}).filter(
        ([name]) => required.has(name) || (!isSmall && (values.flag() || values.flag())),
      );
      const texts = fields.map(
        ([name, field]) => `${JSON.stringify(name)}:${randomJson(field, schema, values, depth + 1)}`,
      );
      return `{${texts.join(",")}}`;
    }
  }
}

function oneEach(schema: JsonSchema, count: number): readonly JsonSchema[] {
  return Array.from({ length: count }, () => schema);
}

/**
 * The message of a call as JSON text, written byte for byte as the interface requires, with amounts as numbers of
 * any size, so that the test does not depend on the client's encoder.
 */
export function wasmMessage(call: SubjectCall): string {
  switch (call.kind) {
    case "updateScore":
      return oneScore("update_score", call);
    case "increaseScore":
      return oneScore("increase_score", call);
    case "decreaseScore":
      return oneScore("decrease_score", call);
    case "updateScores":
      return `{"update_scores":{"stage":${call.stage},"scores":[${call.rows.map(pair).join(",")}]}}`;
    case "updateScoresUnequal": {
      const pairs = [...call.rows.map(pair), '["init1"]'];
      return `{"update_scores":{"stage":${call.stage},"scores":[${pairs.join(",")}]}}`;
    }
    case "updateScoresPacked":
      return `{"update_scores_packed":{"stage":${call.stage},"rows":"${encodeRows(call.rows).toString("base64")}"}}`;
    case "updateScoreOfText":
      return `{"update_scores":{"stage":${call.stage},"scores":[[${JSON.stringify(call.text)},1]]}}`;
    case "finalizeStage":
      return `{"finalize_stage":{"stage":${call.stage}}}`;
    case "finalizeStageChecked": {
      const { stage, total, count, revision } = call;
      const expected = `"expected_total":${total},"expected_count":${count},"expected_revision":${revision}`;
      return `{"finalize_stage_checked":{"stage":${stage},${expected}}}`;
    }
    case "addMember":
      return `{"add_allow_list":{"addr":"${formatBech32(call.account)}"}}`;
    case "removeMember":
      return `{"remove_allow_list":{"addr":"${formatBech32(call.account)}"}}`;
    case "setMembers":
      return `{"set_allow_list":{"addrs":${JSON.stringify(call.accounts.map((account) => formatBech32(account)))}}}`;
    case "transferOwnership":
      return `{"transfer_ownership":{"new_owner":"${formatBech32(call.account)}"}}`;
    case "acceptOwnership":
      return '{"accept_ownership":{}}';
    case "setFinalizer": {
      const finalizer = call.account === undefined ? "null" : `"${formatBech32(call.account)}"`;
      return `{"set_finalizer":{"finalizer":${finalizer}}}`;
    }
    case "setManagement":
      return `{"set_members_can_manage":{"allowed":${call.allowed}}}`;
    case "renounceOwnership":
    case "setInitStage":
      break;
  }
  throw new NoSuchCall("Wasm", call.kind);
}

function oneScore(
  name: string,
  { stage, account, amount }: { readonly stage: bigint; readonly account: Account; readonly amount: bigint },
): string {
  return `{"${name}":{"addr":"${formatBech32(account)}","stage":${stage},"amount":${amount}}}`;
}

function pair({ account, score }: Row): string {
  return `["${formatBech32(account)}",${score}]`;
}

/** Rows of a packed batch: the length of the address in one byte, the address, the score in eight bytes. */
function encodeRows(rows: readonly Row[]): Buffer {
  return Buffer.concat(
    rows.flatMap(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      const amount = Buffer.from(score.toString(16).padStart(16, "0"), "hex");
      return [Buffer.from([address.length]), address, amount];
    }),
  );
}
