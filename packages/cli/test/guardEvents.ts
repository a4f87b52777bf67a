import { VipError } from "@vipscore/core";
import { until } from "@vipscore/testkit/until";
import { runCli, type CliOptions, type JsonObject } from "./harness.ts";
import { TestClock } from "./watchHarness.ts";

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

/** Events as `begins owner`, in their order. */
export const codesOf = (stdout: string): readonly string[] =>
  eventsOf(stdout).map(({ event, code }) => `${event} ${code}`);

/** Counts the pauses between rounds. */
export class RoundClock extends TestClock {
  rounds = 0;

  override pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.rounds += 1;
    return super.pause(milliseconds, signal);
  }
}

/** A `guard --json` in this process, whose rounds a test takes one by one. */
export interface SteppedGuard extends AsyncDisposable {
  /** Lets the interval pass. Returns the events of the next round, as `begins owner`. */
  readonly round: () => Promise<readonly string[]>;
}

/** Starts a guard with the longest interval for which the alerts are made: five minutes. */
export function startGuard(cwd: string, env: NonNullable<CliOptions["env"]>): SteppedGuard {
  const clock = new RoundClock();
  const stopping = new AbortController();
  let [stdout, stderr, rounds, hasEnded] = ["", "", 0, false];
  const running = runCli(["guard", "--json", "--interval", "5m"], cwd, {
    env,
    clock,
    signal: stopping.signal,
    onOutput: (text) => (stdout += text),
    onError: (text) => (stderr += text),
  }).finally(() => (hasEnded = true));
  return {
    round: async () => {
      stdout = "";
      if (rounds > 0) clock.advance(5 * 60_000);
      rounds += 1;
      await until(`round ${rounds}`, () => {
        if (hasEnded) throw new Error(`the guard ended: ${stderr}`);
        return clock.rounds === rounds;
      });
      return codesOf(stdout);
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort(new VipError("stopped", { code: "INTERRUPTED", cause: "SIGTERM" }));
      await running;
    },
  };
}
