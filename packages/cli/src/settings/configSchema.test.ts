import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { InputError } from "@vipscore/core/errors";
import { Field } from "@vipscore/core/field";
import { vms } from "@vipscore/core/values";
import { proposalSchema, readContractChange, readRegistration } from "@vipscore/l1";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { contractFields, settingsOf } from "../../test/proposalSettings.ts";
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
  const guards = [
    { owner: "0x1" },
    { maxTotalChange: "5" },
    { members: ["0x1"] },
    { other: 1 },
    { maxTotalChange: 1.5 },
  ];
  let taken = 0;
  for (let run = 0; run < fuzzRuns(300); run += 1) {
    const names = Array.from({ length: 1 + below(3) }, () =>
      pick(["$schema", "endpoints", "guard", ...Object.keys(settings)]),
    );
    const file = Object.fromEntries(
      names.map((name) => [
        name,
        name === "vm" && below(2) === 0 ? "move" : pick<unknown>(name === "guard" ? guards : values),
      ]),
    );
    await writeFile(join(cwd, "vipscore.config.json"), JSON.stringify(file));
    const expected = await isTaken();
    expect({ file, valid: isValid(file) }).toEqual({ file, valid: expected });
    taken += expected ? 1 : 0;
  }
  expect(taken).toBeGreaterThan(20);
});

test("the schema of a proposal takes the files that the command takes, and no other names and types", () => {
  const isValid = new Ajv2020({ allowUnionTypes: true }).compile(proposalSchema());
  const { below, pick } = seededRandom(fuzzSeed());
  const refuse = (place: string, problem: string): InputError => new InputError(`${place} ${problem}`);
  const account = `0x${"c8".repeat(20)}`;
  const added = { $schema: "./proposal.schema.json" };
  const contents = ["10000000umin", "7", "1.5", 7, account];
  const wrongTypes = [undefined, null, "", " ", 1.5, true, {}, [], [7]];
  let taken = 0;
  for (let run = 0; run < fuzzRuns(400); run += 1) {
    const isRegistration = below(2) === 0;
    const json = settingsOf(account, 7n, {
      ...added,
      ...(isRegistration ? {} : contractFields),
    });
    const known: Record<string, unknown> = JSON.parse(json);
    const isContent = below(2) === 0;
    const changes =
      below(4) === 0
        ? {}
        : { [pick([...Object.keys(known), "color"])]: pick<unknown>(isContent ? contents : wrongTypes) };
    const file: unknown = JSON.parse(JSON.stringify({ ...known, ...changes }));
    const read = (reader: (json: Field) => unknown): boolean => {
      try {
        reader(new Field(file, "proposal.json", refuse));
        return true;
      } catch (error) {
        if (error instanceof InputError) return false;
        throw error;
      }
    };
    const isTaken = [readRegistration, readContractChange].some(read);
    // A schema cannot check an address, or the stages of a commission.
    if (isTaken || !isContent) expect({ file, valid: isValid(file) }).toEqual({ file, valid: isTaken });
    taken += isTaken ? 1 : 0;
  }
  expect(taken).toBeGreaterThan(50);
});
