import {
  formatChecksummed,
  type Account,
  type PinnedOptions,
  type ScoreContract,
  type StageInfo,
} from "@vipscore/core";
import { count, group, parseAccount } from "@vipscore/core/values";
import { readJournals } from "../../contract/journal.ts";
import type { Io } from "../../io.ts";
import { action, ok, skipped, warning, type Finding } from "../doctor/findings.ts";
import { guardFileName, type Roles } from "./guardFile.ts";

export async function readRoles(contract: ScoreContract, at: PinnedOptions): Promise<Roles | undefined> {
  const [members, control] = await Promise.all([contract.getMembers(at), contract.getControl(at)]);
  if (members === undefined || control === undefined) return undefined;
  const { owner, finalizer, codeAdmin } = control;
  return {
    owner: shown(owner),
    finalizer: finalizer === undefined ? "" : shown(finalizer),
    members: members.map(shown).toSorted(),
    code: `${contract.code}, version ${contract.version ?? "unknown"}, replaced by ${codeAdmin === undefined ? "nobody" : codeAdmin === "implementation" ? codeAdmin : shown(codeAdmin)}`,
  };
}

function shown(account: Account | undefined): string {
  return account === undefined ? "nobody" : formatChecksummed(account);
}

const drill = "If nobody of yours did it, follow docs/security.md#runbook-a-key-was-stolen.";

/** Compares the roles with those of the settings, or else with those that were seen first. */
export function checkRoles(
  now: Roles,
  expected: Partial<Roles>,
  from: (role: keyof Roles) => string,
): readonly Finding[] {
  const accept = `If it was you, name them in the settings under "guard", or remove ${guardFileName}.`;
  const changed = (["owner", "finalizer", "code"] as const).flatMap((role) => {
    const [is, was] = [now[role], expected[role]];
    if (was === undefined || sameAccount(is, was)) return [];
    return [
      action(`the ${role} is ${is || "every member"}, not ${was || "every member"} as in ${from(role)}`, drill, accept),
    ];
  });
  const { members } = expected;
  if (members === undefined) return changed;
  const added = now.members.filter((member) => !members.some((each) => sameAccount(each, member)));
  const removed = members.filter((member) => !now.members.some((each) => sameAccount(each, member)));
  if (added.length > 0)
    changed.push(action(`${added.join(", ")} may write scores, and is not in ${from("members")}`, drill, accept));
  if (removed.length > 0)
    changed.push(action(`${removed.join(", ")} of ${from("members")} may not write scores any more`, drill, accept));
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
export async function checkWriters(io: Io, { identity }: ScoreContract, open: StageInfo): Promise<Finding> {
  const { revision, stage } = open;
  const journals = revision === undefined ? undefined : await readJournals(io, { identity, stage });
  if (revision === undefined || journals === undefined)
    return skipped("no journal of this folder shows who wrote the open stage");
  const known = journals.reduce(
    (sum, { written, unsettled, dropped }) => sum + written.size + unsettled.size + dropped.length,
    0,
  );
  const times = `stage ${stage} was written ${count(Number(revision), "time")}`;
  if (revision <= BigInt(known)) return ok(`${times}, from this folder`);
  return action(
    `${times}, and this folder's journals know ${known}: others wrote it`,
    drill,
    "Then push again, which repairs the stage.",
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
