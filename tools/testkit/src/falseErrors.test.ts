import { expect, test } from "vitest";
import { countFalseErrors } from "./falseErrors.ts";

const missing = Object.assign(new Error("nothing there"), { code: "CONTRACT_NOT_FOUND" });

test("counts errors by step and code, else by step and name, and repeats the step", async () => {
  const failures: Error[] = [missing, missing, new TypeError("odd")];
  const results: number[] = [];
  const counts = await countFalseErrors("a soak", 3, async (index, take) => {
    results.push(
      await take("deploy", () => {
        const failure = index === 1 ? failures.shift() : undefined;
        return failure === undefined ? Promise.resolve(index) : Promise.reject(failure);
      }),
    );
  });
  expect(counts).toEqual({ "deploy CONTRACT_NOT_FOUND": 2, "deploy TypeError": 1 });
  expect(results).toEqual([0, 1, 2]);
});

test("a step that never succeeds ends the soak", async () => {
  let attempts = 0;
  const soak = countFalseErrors("a soak", 3, (_index, take) =>
    take("push", () => {
      attempts += 1;
      return Promise.reject(missing);
    }),
  );
  await expect(soak).rejects.toBe(missing);
  expect(attempts).toBe(30);
});
