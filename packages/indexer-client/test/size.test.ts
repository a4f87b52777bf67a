import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Measured {
  readonly name: string;
  readonly passed: boolean;
  readonly size: number;
  readonly sizeLimit: number;
}

test("each entry stays within the size limit in package.json, minified and gzipped", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL("bin.js", import.meta.resolve("size-limit/package.json"))), "--json"],
    { cwd: fileURLToPath(new URL("..", import.meta.url)) },
  ).catch((error: { readonly stdout: string }) => error);
  const measured = JSON.parse(stdout) as readonly Measured[];
  expect(measured.length).toBeGreaterThan(1);
  for (const { name, size, sizeLimit } of measured) expect.soft(size, name).toBeLessThanOrEqual(sizeLimit);
});
