import { count, formatDuration, group } from "@vipscore/core/values";
import type { FollowEvent } from "@vipscore/indexer";
import type { Output } from "../../output/output.ts";

/** Time between two lines if no line can be redrawn, and over which a rate is measured, in milliseconds. */
const lineEveryMs = 60_000;
/** Maximum number of omissions reported one by one; `/status` counts all. */
const maxLeftOutReported = 20;

/**
 * Reports an indexer's progress on stderr: on a terminal one redrawn line, elsewhere one line a minute; a line when it
 * has caught up; and problems.
 */
export function followNotes(output: Output, now: () => number = () => performance.now()): (event: FollowEvent) => void {
  let hasCaughtUp = false;
  let changes = 0;
  let leftOut = 0;
  let urisNotedAt = now();
  let scoresNotedAt = -lineEveryMs;
  let urisNoted = 0;
  /** Where the rates begin. */
  let mark: { readonly at: number; readonly height: number; readonly changes: number } | undefined;
  const reportIndexed = (event: Extract<FollowEvent, { type: "indexed" }>): void => {
    changes += event.changes;
    mark ??= { at: now(), height: event.height, changes };
    const elapsedMs = now() - mark.at;
    const rates = elapsedMs > 0 ? ratesText(event, { ...mark, elapsedMs, more: changes - mark.changes }) : "";
    const line = `indexed   block ${group(event.height)} of ${group(event.head)}, ${count(changes, "change")} of NFTs${rates}`;
    const isFirstAtHead = !hasCaughtUp && event.height >= event.head;
    hasCaughtUp ||= isFirstAtHead;
    const isDue = elapsedMs >= lineEveryMs;
    if (isFirstAtHead || (isDue && !output.isTerminal)) output.note(line);
    else output.showTransient(line);
    if (isDue) mark = { at: now(), height: event.height, changes };
  };
  const reportWaiting = ({ error, attempt, delayMs }: Extract<FollowEvent, { type: "waiting" }>): void => {
    // Report a long outage less and less often.
    if ((attempt & (attempt - 1)) !== 0) return;
    const failed = attempt === 1 ? "" : ` (failed ${attempt} times)`;
    output.warn(`${error.shortMessage}; next attempt in ${(delayMs / 1000).toFixed(1)} s${failed}`);
  };
  const reportLeftOut = ({ height, collectionAddr, reason }: Extract<FollowEvent, { type: "leftOut" }>): void => {
    leftOut += 1;
    if (leftOut > maxLeftOutReported) return;
    const last = leftOut === maxLeftOutReported ? "; more are only counted, in /status" : "";
    const place = collectionAddr === undefined ? "" : `, collection ${collectionAddr}`;
    output.warn(`block ${group(height)}${place}: left out ${reason}${last}`);
  };
  const reportUris = ({ pendingUris }: Extract<FollowEvent, { type: "urisRead" }>): void => {
    const line = `URIs      ${pendingUris === 0 ? "all are read" : `${group(pendingUris)} to read`}`;
    // Also the end of what a line counted.
    const isDue = now() - urisNotedAt >= lineEveryMs || (pendingUris === 0 && urisNoted > 0);
    if (output.isTerminal || !isDue) return output.showTransient(line);
    output.note(line);
    [urisNotedAt, urisNoted] = [now(), pendingUris];
  };
  const reportScored = ({
    height,
    stage,
    rows,
    accounts,
    differences,
  }: Extract<FollowEvent, { type: "scored" }>): void => {
    const line = `scores    stage ${stage} at block ${group(height)}: ${count(rows, "row")} of ${count(accounts, "account")}`;
    const isDue = now() - scoresNotedAt >= lineEveryMs;
    if (isDue && !output.isTerminal) output.note(line);
    else output.showTransient(line);
    if (isDue) scoresNotedAt = now();
    if (differences > 0)
      output.warn(
        `stage ${stage}: ${count(differences, "score")} differed from what events had said, now as in the contract`,
      );
  };
  return (event) => {
    if (event.type === "indexed") reportIndexed(event);
    else if (event.type === "urisRead") reportUris(event);
    else if (event.type === "waiting") reportWaiting(event);
    else if (event.type === "leftOut") reportLeftOut(event);
    else if (event.type === "scored") reportScored(event);
    else {
      const { first, last, error } = event;
      output.warn(`reads the stage, not the events of blocks ${group(first)} to ${group(last)}: ${error.shortMessage}`);
    }
  };
}

/** What was done since a moment: changes a second, and while the index is behind, by how much and for how long. */
function ratesText(
  { height, head }: Extract<FollowEvent, { type: "indexed" }>,
  since: { readonly height: number; readonly elapsedMs: number; readonly more: number },
): string {
  const seconds = since.elapsedMs / 1000;
  const rate = `, ${group(Math.round(since.more / seconds))} changes/s`;
  const behind = head - height;
  if (behind <= 0) return rate;
  const blocks = height - since.height;
  const left = blocks > 0 ? `, ${formatDuration(BigInt(Math.ceil((behind * seconds) / blocks)))} left` : "";
  return `${rate}, ${count(behind, "block")} behind${left}`;
}
