import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";

/** The published interface of Initia's reference contract (vip-score-wasm); our contract may only add to it. */
const execute: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  update_scores: { stage: "u64", scores: "[address, u64][]" },
  update_score: { addr: "address", stage: "u64", amount: "u64" },
  increase_score: { addr: "address", stage: "u64", amount: "u64" },
  decrease_score: { addr: "address", stage: "u64", amount: "u64" },
  finalize_stage: { stage: "u64" },
  add_allow_list: { addr: "address" },
  remove_allow_list: { addr: "address" },
};
const query: typeof execute = {
  get_score: { addr: "address", stage: "u64" },
  get_scores: { stage: "u64", limit: "u64", "start_after?": "address" },
  get_stage_info: { stage: "u64" },
};
const answers: typeof execute = {
  get_score: { stage: "u64", addr: "address", score: "u64" },
  get_scores: { scores: "{stage,addr,score}[]" },
  get_stage_info: { stage: "u64", total_score: "u64", is_finalized: "bool" },
};

interface Schema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

let idl: Readonly<Record<"instantiate" | "execute" | "query" | "migrate", Schema>> & {
  readonly responses: Readonly<Record<string, Schema>>;
};
beforeAll(async () => {
  const file = new URL("../../../contracts/wasm/schema/vip-score.json", import.meta.url);
  idl = JSON.parse(await readFile(file, "utf8")) as typeof idl;
});

/** A type in the notation of the list above. */
function nameOf(schema: Schema, root: Schema): string {
  const referred = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (referred !== undefined) {
    const name = referred.split("/").at(-1) ?? "";
    return name === "Addr" ? "address" : nameOf(root.definitions?.[name] ?? {}, root);
  }
  const type = [schema.type].flat().find((each) => each !== "null");
  if (type === "integer") return schema.format === "uint64" ? "u64" : String(schema.format);
  if (type === "string") return "address";
  if (type === "boolean") return "bool";
  if (type === "object") return `{${Object.keys(schema.properties ?? {}).join()}}`;
  if (type !== "array") return String(type);
  const { items } = schema;
  if (!Array.isArray(items)) return `${nameOf(items as Schema, root)}[]`;
  return `[${items.map((item: Schema) => nameOf(item, root)).join(", ")}]`;
}

/** The fields of an object, with a question mark after optional ones. */
function fieldsOf(schema: Schema, root: Schema): Readonly<Record<string, string>> {
  const entries = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    entries.map(([name, field]) => [schema.required?.includes(name) ? name : `${name}?`, nameOf(field, root)]),
  );
}

/** The fields of a message by its name. */
function messageFields(root: Schema, name: string): Readonly<Record<string, string>> | undefined {
  const message = root.oneOf?.find(({ required }) => required?.[0] === name)?.properties?.[name];
  return message && fieldsOf(message, root);
}

describe("the published interface", () => {
  test("instantiate and migrate", () => {
    const published = { allow_list: "address[]", init_stage: "u64" };
    const ours = { "finalizer?": "address", "members_can_manage?": "bool" };
    expect(fieldsOf(idl.instantiate, idl.instantiate)).toEqual({ ...published, ...ours });
    expect(fieldsOf(idl.migrate, idl.migrate)).toEqual({ "allow_list?": "address[]" });
  });

  test.each(Object.entries(execute))("execute %s", (name, fields) => {
    expect(messageFields(idl.execute, name)).toEqual(fields);
  });

  test.each(Object.entries(query))("query %s", (name, fields) => {
    expect(messageFields(idl.query, name)).toEqual(fields);
  });

  test.each(Object.entries(answers))("answer to %s", (name, fields) => {
    const answer = idl.responses[name] ?? {};
    const found = fieldsOf(answer, answer);
    // The order of an object's fields is not part of its schema.
    const sorted = (text: string) => text.split(/(?:)/).sort().join("");
    expect(Object.keys(found).sort()).toEqual(Object.keys(fields).sort());
    for (const [field, type] of Object.entries(fields)) expect(sorted(found[field] ?? "")).toBe(sorted(type));
  });
});
