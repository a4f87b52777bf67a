import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { VipError } from "../errors/vipError.ts";
import { parseObject } from "../wire/answer.ts";
import { writeWholeFile } from "../writeWholeFile.ts";
import type { SentRecord } from "./journalFormat.ts";

/**
 * The signed bytes of a journal's unsettled transactions, by hash, in base64: one JSON object, which only its owner may read.
 * Anyone who has it can send them, and nothing else.
 */
function signedFile(journal: string): string {
  return `${journal}.signed`;
}

/** Returns the SHA-256 of signed bytes, in hex, as the journal has it. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Reads the bytes of unsettled transactions. Others in the file are settled, or have no line and were never sent.
 *
 * @throws VipError `JOURNAL_INVALID` if it belongs to another user or has other bytes than those of a line; Error of the system.
 */
export async function readSignedBytes(
  journal: string,
  unsettled: ReadonlyMap<string, SentRecord>,
): Promise<Map<string, Uint8Array>> {
  const file = signedFile(journal);
  const found = new Map<string, Uint8Array>();
  if (unsettled.size === 0 || !existsSync(file)) return found;
  // Windows has no user IDs.
  if (statSync(file).uid !== (process.getuid?.() ?? 0)) throw refused(`${file} belongs to another user`);
  const texts = parseObject(await readFile(file, "utf8"));
  for (const { hash, sha256 } of unsettled.values()) {
    if (texts !== undefined && !(hash in texts)) continue;
    const bytes = Buffer.from(String(texts?.[hash]), "base64");
    if (hashBytes(bytes) !== sha256) throw refused(`${file} has other bytes than the journal for transaction ${hash}`);
    found.set(hash, bytes);
  }
  return found;
}

/** Writes the bytes, all of them or none; without any, removes the file. */
export async function writeSignedBytes(journal: string, bytes: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const file = signedFile(journal);
  if (bytes.size === 0) return rm(file, { force: true });
  const texts = Array.from(bytes, ([hash, signed]) => [hash, Buffer.from(signed).toString("base64")] as const);
  await writeWholeFile(file, JSON.stringify(Object.fromEntries(texts)), 0o600);
}

function refused(fault: string): VipError {
  return new VipError(fault, {
    code: "JOURNAL_INVALID",
    metaMessages: ["Nothing was sent. Move it away: then the next push waits for what an earlier run left open."],
  });
}
