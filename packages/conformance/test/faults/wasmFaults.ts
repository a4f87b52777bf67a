import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readContractCode, type ContractCode } from "../../src/index.ts";
import { folderOf } from "../changedCode.ts";
import type { Fault } from "./fault.ts";

/** The module of contracts/wasm/conformance_faults with one of its faults. */
async function faulty(number: number, exported?: readonly [name: string, as: string]): Promise<ContractCode> {
  const path = join(folderOf("wasm"), "conformance_faults/artifacts/conformance_faults.wasm");
  const { bytes, ...code } = await readContractCode(path);
  let text = replaceOnce(bytes.toString("latin1"), "fault:00", `fault:${String(number).padStart(2, "0")}`);
  // A name of the export section has its length before it.
  if (exported !== undefined) text = replaceOnce(text, withLength(exported[0]), withLength(exported[1]));
  return { ...code, bytes: Buffer.from(text, "latin1") };
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2 || from.length !== to.length) throw new Error(`${from} cannot become ${to}`);
  return text.replace(from, () => to);
}

function withLength(name: string): string {
  return String.fromCharCode(name.length) + name;
}

type Schema = NonNullable<ContractCode["schema"]>;

const u64: Schema = { type: "integer", format: "uint64" };

/** The same with the schema of the messages, changed. */
async function withSchema(code: Promise<ContractCode>, change: (messages: readonly Schema[]) => readonly Schema[]) {
  const text = await readFile(join(folderOf("wasm"), "schema/vip-score.json"), "utf8");
  const { execute } = JSON.parse(text) as { readonly execute: Schema };
  return { ...(await code), schema: { ...execute, oneOf: change(execute.oneOf ?? []) } };
}

function message(name: string, properties: Readonly<Record<string, Schema>>): Schema {
  const content = { type: "object", required: Object.keys(properties), properties };
  return { type: "object", required: [name], properties: { [name]: content } };
}

/** The message `finalize_stage` with an optional field. */
function withReopen(schema: Schema): Schema {
  const content = schema.properties?.["finalize_stage"];
  if (content === undefined) return schema;
  const reopen: Schema = { type: ["boolean", "null"] };
  const properties = { finalize_stage: { ...content, properties: { ...content.properties, reopen } } };
  return { ...schema, properties };
}

export const wasmFaults: readonly Fault[] = [
  {
    fault: "a message that no schema and no refusal lists writes to any stage, for members",
    code: () => faulty(1),
    rule: "P2",
    named: /\bmessages\b.*\bamend\b/,
  },
  {
    fault: "an optional field of finalize_stage opens a finalized stage",
    code: () => withSchema(faulty(2), (messages) => messages.map(withReopen)),
    rule: "P2",
  },
  {
    fault: "a member writes to a finalized stage if coins are attached",
    code: () => faulty(3),
    rule: "P2",
  },
  {
    fault: "members write to a finalized stage while the owner does not let them manage members",
    code: () => faulty(4),
    rule: "P2",
  },
  {
    fault: "members can write on the second day after finalize",
    code: () => faulty(5),
    rule: "P2",
  },
  {
    fault: "increase_score by an amount that the code names goes through in a finalized stage",
    code: () => faulty(6),
    rule: "P2",
  },
  {
    fault: "a finalized stage takes writes unless the public test account created the contract",
    code: () => faulty(7),
    rule: "P2",
  },
  {
    fault: "a finalized stage takes writes unless the chain has the name of a local one",
    code: () => faulty(8),
    rule: "P2",
  },
  {
    fault: "finalize raises the first score of the stage before",
    code: () => faulty(9),
    rule: "P2",
  },
  {
    fault: "the first write to the next stage adds a bonus to the finalized one",
    code: () => faulty(10),
    rule: "P2",
  },
  {
    fault: "a migration to the same code opens the stage that was finalized last",
    code: () => faulty(11),
    rule: "P2",
  },
  {
    fault: "sudo opens the stage that was finalized last",
    code: () => faulty(12, ["idle", "sudo"]),
    rule: "P2",
    named: /\bsudo\b/,
  },
  {
    fault: "finalize sends a message that is refused, and the reply raises a score of the stage before",
    code: () => faulty(13, ["extra", "reply"]),
    rule: "P2",
    named: /\breply\b/,
  },
  {
    fault: "a batch of exactly 100 rows counts a point too many",
    code: () => faulty(14),
    rule: "P4",
  },
  {
    fault: "a packed batch of more than 250 rows counts a point too few",
    code: () => faulty(15),
    // Of vipscore's own entry point.
    rule: "R7",
  },
  {
    fault: "in a stage of more than 10,000 scores every published page but the first lacks its first row",
    code: () => faulty(16),
    rule: "P4",
  },
  {
    fault: "a page whose limit is the number of all rows lacks the last one",
    code: () => faulty(17),
    rule: "P4",
  },
  {
    fault: "a score above 2^53 loses digits where it is read alone",
    code: () => faulty(18),
    rule: "P4",
  },
  {
    fault: "the event of increase_score has what was added, not the score",
    code: () => faulty(19),
    rule: "P1",
  },
  {
    fault: "the published total wraps at 2^63",
    code: () => faulty(20),
    rule: "P4",
  },
  {
    fault: "adding a member changes a record of the finalized stage that no query reads",
    code: () => faulty(21),
    rule: "P2",
  },
  {
    fault: "published scores are halved 30 days after finalize",
    code: () => faulty(22),
    rule: "P2",
  },
  {
    fault: "a score above 2^53 that is read alone is a text",
    code: () => faulty(23),
    rule: "P1",
  },
  {
    fault: "a score that a member schedules before finalize is written when somebody settles after it",
    code: () =>
      withSchema(faulty(24), (messages) => [
        ...messages,
        message("schedule", { stage: u64, addr: { type: "string" }, amount: u64 }),
        message("settle", { stage: u64 }),
      ]),
    rule: "P2",
  },
];
