import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { readJsonFile } from "./readJsonFile.ts";

const path = join(temporaryFolder(), "settings.json");

async function read(content: string | Uint8Array): Promise<unknown> {
  await writeFile(path, content);
  return (await readJsonFile(path, { name: "settings.json" })).value;
}

const settings = '{"endpoint":"https://node.example/*/,]//x","vm":"evm"}';
const commented = settings.replace(/,(?="vm)/, ", // the node\n /* of us */");

test.each([
  ["a line's comment", commented],
  ["a comment before it", `// ours\n${settings}`],
  ["a comma at its end", settings.replace(/}$/, ",\n}")],
  ["a comma and a comment", settings.replace(/}$/, ", // last\n}")],
])("%s is named", async (_, text) => {
  await expect(read(text)).rejects.toMatchObject({ shortMessage: expect.stringContaining("comments") as string });
});

test.each(["{", '{"a":1}}', "", "vm = evm", "/*".repeat(500_000)])(
  "other text is only not JSON: %.20s",
  async (text) => {
    await expect(read(text)).rejects.toMatchObject({
      shortMessage: expect.stringMatching(/^settings\.json\b(?!.*\bcomments\b)/) as string,
    });
  },
);

test("a text may have the marks of a comment", async () => {
  await expect(read(settings)).resolves.toEqual({ endpoint: "https://node.example/*/,]//x", vm: "evm" });
});

test.each([
  ["UTF-16", Buffer.from(`\uFEFF${settings}`, "utf16le")],
  ["UTF-16, big-endian", Buffer.from(`\uFEFF${settings}`, "utf16le").swap16()],
  ["UTF-16 without its mark", Buffer.from(settings, "utf16le")],
  ["Latin-1", Buffer.from('{"name":"Zürich"}', "latin1")],
])("%s is named", async (_, bytes) => {
  await expect(read(bytes)).rejects.toMatchObject({
    code: "FILE_UNREADABLE",
    shortMessage: expect.stringContaining("UTF-8") as string,
  });
});

test("the mark of UTF-8 is skipped", async () => {
  await expect(read(`\uFEFF${settings}`)).resolves.toMatchObject({ vm: "evm" });
});
