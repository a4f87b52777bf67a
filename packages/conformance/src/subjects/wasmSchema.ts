import { formatBech32 } from "@vipscore/core";
import type { RandomValues } from "../randomValues.ts";
import type { JsonSchema } from "../wasmSchemaFile.ts";

/** Returns the messages of a schema: the schema of each message's content, by the message's name. */
export function messagesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const messages = new Map<string, JsonSchema>();
  const add = (part: JsonSchema): void => {
    const one = resolved(part, schema);
    for (const variant of [...(one.anyOf ?? []), ...(one.oneOf ?? []), ...(one.allOf ?? [])]) add(variant);
    for (const [name, content] of Object.entries(one.properties ?? {})) messages.set(name, content);
  };
  add(schema);
  return messages;
}

/** Writes a message with random values in the form that a schema has for it. */
export function schemaMessage(schema: JsonSchema, name: string, values: RandomValues): string {
  return `{"${name}":${randomJson(messagesOf(schema).get(name) ?? {}, schema, values)}}`;
}

function resolved(part: JsonSchema, { definitions }: JsonSchema): JsonSchema {
  return definitions?.[part.$ref?.replace("#/definitions/", "") ?? ""] ?? part;
}

/** Types that are text in JSON and have a form of their own. */
const texts: Readonly<Record<string, (values: RandomValues) => string>> = {
  Binary: (values) => values.bytes(29).toString("base64"),
  Uint64: (values) => String(values.number(64)),
  Uint128: (values) => String(values.number(64)),
  Decimal: (values) => `0.${values.number(16)}`,
};

function randomJson(part: JsonSchema, schema: JsonSchema, values: RandomValues): string {
  const text = texts[part.$ref?.replace("#/definitions/", "") ?? ""];
  if (text !== undefined) return JSON.stringify(text(values));
  const { type, format, properties, items, allOf = [], anyOf = [], oneOf = [], ...more } = resolved(part, schema);
  const choices = [...anyOf, ...oneOf, ...allOf];
  const choice = choices[values.flag() ? 0 : choices.length - 1];
  if (choice !== undefined) return randomJson(choice, schema, values);
  if (more.enum !== undefined) return JSON.stringify(more.enum[0]);
  const [first = "object", ...others] = [type ?? "object"].flat();
  if (others.includes("null") && values.flag()) return "null";
  switch (first) {
    case "integer":
    case "number":
      return String(values.number(Number(/\d+$/.exec(format ?? "")?.[0] ?? 64)));
    case "boolean":
      return String(values.flag());
    case "string":
      return JSON.stringify(formatBech32(values.account()));
    case "array": {
      const elements = items === undefined || "length" in items ? (items ?? []) : oneEach(items, values.length);
      return `[${elements.map((element) => randomJson(element, schema, values)).join(",")}]`;
    }
    case "null":
      return "null";
    default: {
      const required = new Set(more.required);
      const fields = Object.entries(properties ?? {}).filter(([name]) => required.has(name) || values.flag());
      return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${randomJson(field, schema, values)}`).join(",")}}`;
    }
  }
}

function oneEach(schema: JsonSchema, count: number): readonly JsonSchema[] {
  return Array.from({ length: count }, () => schema);
}
