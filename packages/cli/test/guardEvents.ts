import type { JsonObject } from "./harness.ts";

/** A line of `guard --json`. */
export interface GuardEvent {
  readonly event: string;
  readonly code: string;
  readonly text: string;
}

export function eventsOf(stdout: string): readonly GuardEvent[] {
  const objects = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as JsonObject]));
  return objects.filter((object) => "event" in object) as unknown as readonly GuardEvent[];
}
