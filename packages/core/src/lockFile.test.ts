import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { collectGarbage } from "@vipscore/testkit/collectGarbage";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { lockFile } from "./lockFile.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

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
