import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { vms } from "@vipscore/core/values";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import type { Io } from "../io.ts";
import { configSchema } from "./configSchema.ts";
import { readConfigFile } from "./projectFiles.ts";
import { settings } from "./settings.ts";

test("the schema takes the files that the command takes", async () => {
  const cwd = temporaryFolder();
  const stream = { isTTY: false, write: () => true };
  const { signal } = new AbortController();
  const io: Io = { stdin: new PassThrough(), stdout: stream, stderr: stream, env: {}, cwd, signal };
  const isValid = new Ajv2020({ allowUnionTypes: true }).compile(configSchema());
  const isTaken = async (): Promise<boolean> => {
    const file = await readConfigFile(io, undefined).catch(() => undefined);
    return file !== undefined && (file.vm === undefined || vms.some((vm) => vm === file.vm));
  };
  const { below, pick } = seededRandom(fuzzSeed());
  const values = ["http://127.0.0.1:9", "0.015umin", "", "evm", 5, 1.5, true, {}, []];
  let taken = 0;
  for (let run = 0; run < fuzzRuns(200); run += 1) {
    const names = Array.from({ length: 1 + below(3) }, () => pick(["$schema", "endpoints", ...Object.keys(settings)]));
    const file = Object.fromEntries(
      names.map((name) => [name, name === "vm" && below(2) === 0 ? "move" : pick<unknown>(values)]),
    );
    await writeFile(join(cwd, "vipscore.config.json"), JSON.stringify(file));
    const expected = await isTaken();
    expect({ file, valid: isValid(file) }).toEqual({ file, valid: expected });
    taken += expected ? 1 : 0;
  }
  expect(taken).toBeGreaterThan(20);
});
