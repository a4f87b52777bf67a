// Whatever is in a file that somebody else wrote, its reader takes it or refuses it with a code.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { InputError, readJsonFile } from "@vipscore/core";
import { readContractChange } from "@vipscore/l1";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { checkProofFile } from "../src/commands/verifyProof.ts";
import type { Context } from "../src/context.ts";
import type { Io } from "../src/io.ts";
import { Output } from "../src/output/output.ts";
import { Scrubber } from "../src/output/scrubber.ts";
import { readConfigFile } from "../src/settings/projectFiles.ts";
import { contractFields, settingsOf } from "./proposalSettings.ts";

const nowhere = { write: () => undefined };
const io: Io = {
  stdin: new PassThrough(),
  stdout: nowhere,
  stderr: nowhere,
  env: {},
  cwd: temporaryFolder(),
  signal: new AbortController().signal,
};
const scrubber = new Scrubber();
const output = new Output(io, { json: false, scrubber });
const context: Context = {
  io,
  signal: io.signal,
  output,
  scrubber,
  operands: [],
  atEnd: () => undefined,
  unsent: () => undefined,
  endWith: () => undefined,
};

const account = "0x8cad25ec80a10522c258e2f59abf0006c9445d1b";
const empty = '{"bridgeId":"7","stage":"12","l1":null,"root":null,"total":"0","leaves":[]}';
const leaf = `{"address":"${account}","score":"5","proof":["${"a1".repeat(32)}"]}`;
const proofs = `{"bridgeId":"7","stage":"12","l1":null,"root":"${"0f".repeat(32)}","total":"9","leaves":[\n${leaf}]}`;
const settings = `{"vm":"evm","endpoint":"http://127.0.0.1:8545","contract":"${account}","chainId":31337}`;

async function readProposal(file: string): Promise<unknown> {
  const refuse = (place: string, problem: string): InputError => new InputError(`${place} ${problem}`);
  const { cwd, signal } = context.io;
  return readContractChange(await readJsonFile(join(cwd, file), { name: file, refuse, signal }));
}

test.each<[title: string, valid: readonly string[], read: (file: string) => Promise<unknown>]>([
  ["proofs", [empty, proofs], (file) => checkProofFile(context, file)],
  ["settings", [settings], (file) => readConfigFile(context.io, file)],
  ["a proposal", [settingsOf(account, 7n, contractFields)], readProposal],
])("a file of %s", async (_, valid, read) => {
  const readText = async (text: string): Promise<void> => {
    await writeFile(join(context.io.cwd, "file.json"), text);
    await read("file.json");
  };
  expect(await fuzzReader(valid, readText)).toBeGreaterThan(0);
});
