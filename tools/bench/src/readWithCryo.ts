import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { EventsCost } from "./eventsReader.ts";

const program = fileURLToPath(new URL("./readWithCryo.py", import.meta.url));

/**
 * Stores all logs of an EVM node as Parquet files with Paradigm's cryo.
 *
 * @param python - A Python that has cryo (`pip install cryo==0.3.2`).
 * @returns Its cost and how many logs it stored: it skips what fails, and succeeds.
 */
export async function readWithCryo(python: string, url: string, last: number): Promise<EventsCost> {
  const folder = await mkdtemp(join(tmpdir(), "vipscore-cryo-"));
  try {
    const { stdout } = await promisify(execFile)(python, [program, url, String(last), folder]);
    const [, written = ""] = /rows written: ([\d,]+)/.exec(stdout) ?? [];
    const cost = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Omit<EventsCost, "events">;
    return { ...cost, events: Number(written.replaceAll(",", "")) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
