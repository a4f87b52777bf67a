import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  formatChecksummed,
  readFileText,
  type Account,
  type PinnedOptions,
  type ScoreContract,
  type StageInfo,
} from "@vipscore/core";
import { parseJournal } from "@vipscore/core/engine";
import { count, group, parseAccount } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { journalPath } from "../../contract/journal.ts";
import { action, ok, skipped, warning, type Finding } from "../doctor/findings.ts";

/** Who may do what to a contract, as text. */
export interface Roles {
  readonly owner: string;
  /** Empty if every member may finalize. */
  readonly finalizer: string;
  /** Sorted. */
  readonly members: readonly string[];
  /** Who can replace the code, and the contract's version. */
  readonly code: string;
}

export async function readRoles(contract: ScoreContract, at: PinnedOptions): Promise<Roles | undefined> {
  const [members, control] = await Promise.all([contract.getMembers(at), contract.getControl(at)]);
  if (members === undefined || control === undefined) return undefined;
  const { owner, finalizer, codeAdmin } = control;
  return {
    owner: shown(owner),
    finalizer: finalizer === undefined ? "" : shown(finalizer),
    members: members.map(shown).toSorted(),
    code: `version ${contract.version ?? "unknown"}, replaced by ${codeAdmin === undefined ? "nobody" : codeAdmin === "implementation" ? codeAdmin : shown(codeAdmin)}`,
  };
}

function shown(account: Account | undefined): string {
  return account === undefined ? "nobody" : formatChecksummed(account);
}

/** Compares the roles with those of the settings, or else with those that were seen first. */
export function checkRoles(now: Roles, expected: Partial<Roles>, from: string): readonly Finding[] {
  const drill = "If nobody of yours did it: docs/security.md, `A stolen key`.";
  const changed = (["owner", "finalizer", "code"] as const).flatMap((role) => {
    const [is, was] = [now[role], expected[role]];
    if (was === undefined || sameAccount(is, was)) return [];
    return [action(`the ${role} is ${is || "every member"}, not ${was || "every member"} as in ${from}`, drill)];
  });
  const { members } = expected;
  if (members === undefined) return changed;
  const added = now.members.filter((member) => !members.some((each) => sameAccount(each, member)));
  const removed = members.filter((member) => !now.members.some((each) => sameAccount(each, member)));
  if (added.length > 0) changed.push(action(`${added.join(", ")} may write scores, and is not in ${from}`, drill));
  if (removed.length > 0) changed.push(action(`${removed.join(", ")} of ${from} may not write scores any more`, drill));
  return changed;
}

function sameAccount(one: string, other: string): boolean {
  const canonical = (text: string): string => {
    try {
      return parseAccount(text, { accountBytes: [20, 32] });
    } catch {
      return text;
    }
  };
  return canonical(one) === canonical(other);
}

/** Compares how often an open stage was written with the journals of this folder, if it has any. */
export async function checkWriters(context: Context, contract: ScoreContract, open: StageInfo): Promise<Finding> {
  const { revision, stage } = open;
  const path = journalPath(context.io.cwd, contract, stage, undefined).replace(/(-0x[0-9a-f]+)?\.jsonl$/, "");
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const ofContract = basename(path).replace(/stage\d+$/, "stage");
  if (revision === undefined || !names.some((name) => name.startsWith(ofContract)))
    return skipped("no journal of this folder shows who wrote the open stage");
  let written = 0n;
  for (const name of names) {
    if (!name.startsWith(`${basename(path)}-`) || !name.endsWith(".jsonl")) continue;
    const text = await readFileText(`${folder}/${name}`, name);
    // The last line may be half written.
    const found = parseJournal(text.slice(0, text.lastIndexOf("\n") + 1), name);
    written += BigInt(found.written.size + found.unsettled.size + found.dropped.length);
  }
  if (revision <= written) return ok(`stage ${stage} was written ${count(Number(revision), "time")}, from this folder`);
  return action(
    `stage ${stage} was written ${count(Number(revision), "time")}, and this folder's journals know ${written}: others wrote it`,
    "If nobody of yours did it: docs/security.md, `A stolen key`. Then push again, which repairs the stage.",
  );
}

/** Compares the total of an open stage with that of the last round. */
export function checkTotalChange(
  open: StageInfo,
  before: { readonly stage: string; readonly total: string } | undefined,
  most: bigint,
): Finding {
  const last = before?.stage === `${open.stage}` ? BigInt(before.total) : open.total;
  const change = open.total > last ? open.total - last : last - open.total;
  if (change <= most) return ok(`the total of stage ${open.stage} changed by ${group(change)}`);
  return warning(
    `the total of stage ${open.stage} changed by ${group(change)} to ${group(open.total)}, more than maxTotalChange ${group(most)}`,
    `Compare it with the file: vipscore verify <file> --stage ${open.stage}`,
  );
}

/** Blocks that one of two endpoints may be behind the other. */
const mostBehind = 50n;

/** Compares the newest heights of two endpoints, and the open stage at the lower one. */
export async function checkEndpoints(
  contract: ScoreContract,
  second: ScoreContract,
  open: StageInfo,
  signal: AbortSignal,
): Promise<Finding> {
  const [one, other] = await Promise.all([contract.getHeight({ signal }), second.getHeight({ signal })]);
  const height = one < other ? one : other;
  const [mine, theirs] = await Promise.all(
    [contract, second].map((each) => each.getStage(open.stage, { height, signal })),
  );
  const text = (info: StageInfo | undefined): string => `total ${info?.total}, revision ${info?.revision}`;
  if (text(mine) !== text(theirs))
    return action(
      `at height ${height} the endpoint shows stage ${open.stage} with ${text(mine)}, the second one with ${text(theirs)}`,
      "One of the nodes is wrong: finalize nothing until both agree.",
    );
  const behind = one > other ? one - other : other - one;
  if (behind <= mostBehind) return ok(`both endpoints agree at height ${height}`);
  return warning(`the ${one < other ? "endpoint" : "second endpoint"} is ${group(behind)} blocks behind the other`);
}
