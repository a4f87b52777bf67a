import type { FollowEvent } from "@vipscore/indexer";
import { count, group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";

/** Time between two lines of a long catch-up where no line can be redrawn, in milliseconds. */
const lineEveryMs = 10_000;
/** Things left out that are told one by one; `/status` counts all. */
const mostLeftOutTold = 20;

/**
 * Tells on stderr how far an indexer is: while it catches up a line that is redrawn, or one every now and then; one line when
 * it has caught up; then only what goes wrong.
 */
export function followNotes(output: Output): (event: FollowEvent) => void {
  let toldAt = performance.now();
  let hasCaughtUp = false;
  let changes = 0;
  let leftOut = 0;
  const tellIndexed = (event: Extract<FollowEvent, { type: "indexed" }>): void => {
    changes += event.changes;
    if (hasCaughtUp) return;
    const line = `indexed   block ${group(event.height)} of ${group(event.head)}, ${count(changes, "change")} of NFTs`;
    hasCaughtUp = event.height >= event.head;
    if (!hasCaughtUp) output.showTransient(line);
    if (!hasCaughtUp && (output.isTerminal || performance.now() - toldAt < lineEveryMs)) return;
    output.note(line);
    toldAt = performance.now();
  };
  const tellWaiting = ({ error, attempt, delayMs }: Extract<FollowEvent, { type: "waiting" }>): void => {
    // A node that is away for long is told less and less often.
    if ((attempt & (attempt - 1)) !== 0) return;
    const failed = attempt === 1 ? "" : ` (failed ${attempt} times)`;
    output.warn(`${error.shortMessage}; next attempt in ${(delayMs / 1000).toFixed(1)} s${failed}`);
  };
  const tellLeftOut = ({ height, collectionAddr, reason }: Extract<FollowEvent, { type: "leftOut" }>): void => {
    leftOut += 1;
    if (leftOut > mostLeftOutTold) return;
    const last = leftOut === mostLeftOutTold ? "; more are only counted, in /status" : "";
    const place = collectionAddr === undefined ? "" : `, collection ${collectionAddr}`;
    output.warn(`block ${group(height)}${place}: left out ${reason}${last}`);
  };
  return (event) => {
    if (event.type === "indexed") tellIndexed(event);
    else if (event.type === "waiting") tellWaiting(event);
    else tellLeftOut(event);
  };
}
