import { expect, test } from "vitest";
import { collectProgressText } from "./sources.ts";

test("the rate and the time left are those since the start of the source, not of stored blocks", () => {
  let ms = 5000;
  const text = collectProgressText(() => ms);
  const report = (source: string, height: number, rows: number) => text({ source, height, last: 1000, rows });
  expect(report("trades", 400, 7000)).not.toContain("left");
  ms += 2000;
  expect(report("trades", 500, 9000)).toMatch(/\b500\b.*\b9,000\b.*\b1,000\/s\b.*\b10 s\b/);
  ms += 1000;
  expect(report("mints", 0, 0)).not.toContain("left");
  ms += 1000;
  expect(report("mints", 250, 50)).toMatch(/\b50\/s\b.*\b3 s\b/);
});
