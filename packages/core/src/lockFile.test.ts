import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collectGarbage } from "@vipscore/testkit/collectGarbage";
import { lockFile } from "./lockFile.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vipscore-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a lock lasts until its release, which removes the file", async () => {
  const path = join(folder, "a.lock");
  const lock = await lockFile(path);
  expect(await lockFile(path)).toBeUndefined();
  lock?.release();
  expect(existsSync(path)).toBe(false);
  (await lockFile(path))?.release();
});

test("a lock lasts although nothing refers to it anymore", async () => {
  const path = join(folder, "a.lock");
  expect(await lockFile(path)).toBeDefined();
  await collectGarbage();
  expect(await lockFile(path)).toBeUndefined();
});
