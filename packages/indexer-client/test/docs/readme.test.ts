import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the examples in the README are the typechecked ones", () => {
  const examples = [...read("../../README.md").matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  const names = ["", "Holders", "Scores", "Metadata", "Query"];
  expect(examples).toEqual(names.map((name) => read(`readme${name}Example.ts`)));
});
