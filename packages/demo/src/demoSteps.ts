import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { ChainWrites } from "./chainWrites.ts";
import type { ChildCli } from "./childCli.ts";

export interface DemoScene {
  /** The folder with `scores.csv` and `changed.csv`, which differ in one row. */
  readonly folder: string;
  readonly rows: number;
  readonly total: bigint;
  readonly cli: ChildCli;
  /** Reads what was written to stage 1 of a contract from the chain. */
  readonly countWrites: (contract: string) => Promise<ChainWrites>;
}

const journal = "demo.jsonl";
const pushArgs = ["push", "scores.csv", "--stage", "1", "--journal", journal];
const verifyArgs = ["verify", "scores.csv", "--stage", "1"];

/** Runs a step, which returns its result. A step that fails throws, which ends the demo. */
export type RunStep = (step: string, work: () => Promise<string>) => Promise<void>;

export async function showSteps(run: RunStep, scene: DemoScene): Promise<void> {
  const { folder, rows, total, cli } = scene;
  const all = group(rows);
  let contract = "";
  let digest = "";
  let sentBefore = 0;
  const writes = (): Promise<ChainWrites> => scene.countWrites(contract);

  await run("deploy", async () => {
    const deployed = await answerOf<{ contract: { address: string } }>(cli(["deploy", "--init-stage", "1", "--json"]));
    contract = deployed.contract.address;
    sentBefore = (await writes()).senderTransactions;
    return `a contract at ${contract}, stage 1 is open`;
  });
  await run("push, killed halfway", async () => {
    let written = 0;
    const killWhen = async (stopped: AbortSignal): Promise<void> => {
      while ((written = (await writes()).rows) === 0) await delay(5, undefined, { signal: stopped });
    };
    const { signal } = await cli(pushArgs, killWhen);
    expectThat(signal === "SIGKILL", "the push ended before it could be killed");
    return `SIGKILL when the chain had ${group(written)} of ${all} rows`;
  });
  await run("push again", async () => {
    const { transactions } = await answerOf<{ transactions: { rows: number }[] }>(cli([...pushArgs, "--json"]));
    const missing = transactions.reduce((sum, transaction) => sum + transaction.rows, 0);
    expectThat(missing < rows, `the second push sent ${missing} rows`);
    if (missing === 0) return "sent nothing new: what was in flight had all rows";
    return `sent the missing ${group(missing)} rows in ${count(transactions.length, "transaction")}`;
  });
  await run("nothing twice", async () => {
    const found = await writes();
    const noted = new Set((await readJournalSent(join(folder, journal))).map(({ hash }) => hash));
    const { transactions } = found;
    expectThat(found.rows === rows, `the chain has ${found.rows} writes`);
    expectThat(found.accounts === rows, `the chain has ${found.accounts} accounts`);
    expectThat(found.senderTransactions - sentBefore <= noted.size, "more transactions were sent than the journal has");
    expectThat(
      [...transactions].every((hash) => noted.has(hash)),
      "a transaction is not in the journal",
    );
    const shown = `${group(found.rows)} writes for ${group(found.accounts)} accounts`;
    return `the chain has ${shown}, in ${count(transactions.size, "transaction")}, all in the journal`;
  });
  await run("verify", async () => {
    digest = await chainDigest(cli([...verifyArgs, "--json"]));
    return `${all} accounts and the total ${group(total)} agree, sha256 ${shortDigest(digest)}`;
  });
  await run("finalize another table", async () => {
    const args = ["finalize", "--stage", "1", "--file", "changed.csv", "--yes", "--json"];
    await expectRefusal(cli(args), "VERIFY_MISMATCH");
    return "refused: VERIFY_MISMATCH, one row differs";
  });
  await run("finalize", async () => {
    await answerOf(cli(["finalize", "--stage", "1", "--file", "scores.csv", "--yes", "--json"]));
    return "stage 1 is finalized";
  });
  await run("push a changed table", async () => {
    await expectRefusal(cli(["push", "changed.csv", "--stage", "1", "--json"]), "STAGE_FINALIZED");
    expectThat((await chainDigest(cli([...verifyArgs, "--json"]))) === digest, "the digest has changed");
    return `refused: STAGE_FINALIZED, the chain's sha256 is still ${shortDigest(digest)}`;
  });
}

/** Returns the object printed by `vipscore … --json`; ends the demo if the command failed. */
async function answerOf<T>(running: ReturnType<ChildCli>): Promise<T> {
  const { status, stdout } = await running;
  expectThat(status === 0, `a command ended with status ${status}`);
  return JSON.parse(stdout) as T;
}

async function expectRefusal(running: ReturnType<ChildCli>, wanted: string): Promise<void> {
  const { status, stdout } = await running;
  expectThat(status === 3, `a command ended with status ${status} instead of 3`);
  const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string } };
  expectThat(error.code === wanted, `a command was refused with a code other than ${wanted}`);
}

async function chainDigest(running: ReturnType<ChildCli>): Promise<string> {
  const { verification } = await answerOf<{ verification: { sha256: { chain: string } } }>(running);
  return verification.sha256.chain;
}

interface JournalSent {
  readonly hash: string;
  readonly rows: number;
}

/** Returns the transactions that a journal recorded before sending; none if the file does not exist. */
async function readJournalSent(file: string): Promise<readonly JournalSent[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  // A last line without a line feed is still being written.
  const lines = text.split("\n").slice(0, -1);
  return lines.flatMap((line) => (JSON.parse(line) as { readonly sent?: JournalSent }).sent ?? []);
}

/** Ends the demo if a condition does not hold; that is a bug in vipscore, not a user error. */
function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`the demo does not show what it claims: ${otherwise}`);
}
