import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { readMessageSchema } from "./contractCode.ts";

const execute = { anyOf: [{ $ref: "#/definitions/Msg" }] };

const folder = temporaryFolder();
beforeAll(async () => {
  await mkdir(join(folder, "schema"));
  await writeFile(join(folder, "schema", "my-scores.json"), JSON.stringify({ contract_name: "my-scores", execute }));
  await writeFile(join(folder, "schema", "no_messages.json"), JSON.stringify({ instantiate: {} }));
  await writeFile(join(folder, "schema", "broken.json"), "{");
});

test.each(["my_scores.wasm", "artifacts/my_scores.wasm", "target/wasm32-unknown-unknown/release/my_scores.wasm"])(
  "the schema of %s is found",
  async (file) => {
    expect(await readMessageSchema(join(folder, file))).toEqual(execute);
  },
);

test("a module without a schema has none", async () => {
  expect(await readMessageSchema(join(folder, "other.wasm"))).toBeUndefined();
});

test.each(["broken", "no_messages"])("a file that is not a schema is an error: %s", async (name) => {
  await expect(readMessageSchema(join(folder, `${name}.wasm`))).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining(`${name}.json`),
  });
});
