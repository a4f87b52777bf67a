import { expect, test } from "vitest";
import { formatBech32, type Account } from "@vipscore/core";
import type { JsonSchema } from "../contractCode.ts";
import { randomValues } from "../seededRandom.ts";
import { messagesOf, schemaMessage } from "./wasmInterface.ts";

const account = `0x${"ab".repeat(20)}` as Account;
const addr = formatBech32(account);
const u64 = { type: "integer", format: "uint64" };

const schema: JsonSchema = {
  anyOf: [{ $ref: "#/definitions/Published" }, { $ref: "#/definitions/Own" }],
  definitions: {
    Binary: { type: "string" },
    Published: {
      oneOf: [
        { type: "object", properties: { pause: { type: "object" } }, required: ["pause"] },
        {
          type: "object",
          properties: {
            update: {
              type: "object",
              required: ["scores", "stage"],
              properties: {
                stage: u64,
                scores: { type: "array", items: { type: "array", items: [{ type: "string" }, u64] } },
                note: { type: ["string", "null"] },
              },
            },
          },
        },
      ],
    },
    Own: {
      oneOf: [
        {
          properties: {
            store: { required: ["data"], properties: { data: { allOf: [{ $ref: "#/definitions/Binary" }] } } },
          },
        },
      ],
    },
  },
};

test("all variants of all enums are messages", () => {
  expect([...messagesOf(schema).keys()]).toEqual(["pause", "update", "store"]);
});

test("a message has its required fields, with values of their types", () => {
  const seen = new Set<string>();
  for (let run = 0; run < 40; run += 1) {
    const values = randomValues(`run ${run}`, { stages: [7n], accounts: [account], numbers: [] });
    expect(schemaMessage(schema, "pause", values)).toBe('{"pause":{}}');
    const { update } = JSON.parse(schemaMessage(schema, "update", values)) as { readonly update: object };
    expect(update).toMatchObject({ stage: expect.any(Number), scores: expect.any(Array) });
    const { scores, note = "absent" } = update as { readonly scores: readonly unknown[]; readonly note?: unknown };
    for (const pair of scores) expect(pair).toEqual([addr, expect.any(Number)]);
    seen.add(String(note));
    const { store } = JSON.parse(schemaMessage(schema, "store", values)) as {
      readonly store: { readonly data: string };
    };
    expect(Buffer.from(store.data, "base64")).toHaveLength(29);
  }
  expect([...seen].sort()).toEqual(["absent", addr]);
});

test("a message of a recursive type ends", () => {
  const group = {
    type: "object",
    required: ["members", "parts"],
    properties: { members: { type: "integer" } },
  } as const;
  const parts = { type: "array", items: { $ref: "#/definitions/Group" } } as const;
  const optional = { anyOf: [{ $ref: "#/definitions/Group" }, { type: "null" }] } as const;
  const recursive: JsonSchema = {
    oneOf: [{ type: "object", required: ["nest"], properties: { nest: { $ref: "#/definitions/Group" } } }],
    definitions: { Group: { ...group, properties: { ...group.properties, parts, optional } } },
  };
  expect([...messagesOf(recursive).keys()]).toEqual(["nest"]);
  for (let run = 0; run < 40; run += 1) {
    const values = randomValues(`run ${run}`, { stages: [7n], accounts: [account], numbers: [] });
    const { nest } = JSON.parse(schemaMessage(recursive, "nest", values)) as { readonly nest: object };
    expect(nest).toMatchObject({ members: expect.any(Number), parts: expect.any(Array) });
  }
});
