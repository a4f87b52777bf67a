import type { FollowEvent } from "@vipscore/indexer";
import { count, group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";

/** Time between two lines of a long catch-up if no line can be redrawn, in milliseconds. */
const lineEveryMs = 10_000;
/** Maximum number of omissions reported one by one; `/status` counts all. */
const maxLeftOutReported = 20;

/**
 * Reports an indexer's progress on stderr: while it catches up, one redrawn line or one line every ten seconds; one line when
 * it has caught up; after that, only problems.
 */
export function followNotes(output: Output): (event: FollowEvent) => void {
  let reportedAt = performance.now();
  let hasCaughtUp = false;
  let changes = 0;
  let leftOut = 0;
  const reportIndexed = (event: Extract<FollowEvent, { type: "indexed" }>): void => {
    changes += event.changes;
    if (hasCaughtUp) return;
    const line = `indexed   block ${group(event.height)} of ${group(event.head)}, ${count(changes, "change")} of NFTs`;
    hasCaughtUp = event.height >= event.head;
    if (!hasCaughtUp) output.showTransient(line);
    if (!hasCaughtUp && (output.isTerminal || performance.now() - reportedAt < lineEveryMs)) return;
    output.note(line);
    reportedAt = performance.now();
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
  return (event) => {
    if (event.type === "indexed") reportIndexed(event);
    else if (event.type === "waiting") reportWaiting(event);
    else reportLeftOut(event);
  };
}
