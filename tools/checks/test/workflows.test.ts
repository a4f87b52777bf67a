import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const workflows = globSync([".github/workflows/*.yml", "docs/ci/*.yml"], { cwd: root });
const files = [...workflows, "action.yml"];
const linesOf = (path: string): readonly string[] => readFileSync(join(root, path), "utf8").split("\n");

it("finds the workflows", () => {
  expect(workflows).toEqual(expect.arrayContaining([".github/workflows/ci.yml", ".github/workflows/nightly.yml"]));
});

describe.each(files)("%s", (path) => {
  const lines = linesOf(path);

  it("names actions of others by commit and version", () => {
    const uses = lines.filter((line) => /^\s*-? *uses: /.test(line) && !/uses: (\.\/|vipscore\/)/.test(line));
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d/.test(line))).toEqual([]);
  });

  it("keeps scripts in files", () => {
    expect(lines.filter((line) => /\brun: *\|/.test(line))).toEqual([]);
  });

  it("gives no credentials to what a checkout starts", () => {
    const checkouts = lines.flatMap((line, index) => (line.includes("actions/checkout@") ? [index] : []));
    const following = checkouts.map((index) => lines.slice(index + 1, index + 3).join("\n"));
    expect(following.filter((text) => !text.includes("persist-credentials: false"))).toEqual([]);
  });
});

it.each(workflows)("%s limits rights and time", (path) => {
  const text = linesOf(path).join("\n");
  expect(text).toMatch(/^permissions:( \{\}|\n  contents: read)$/m);
  expect(text.match(/^    runs-on: /gm)?.length).toBe(text.match(/^    timeout-minutes: /gm)?.length);
});
