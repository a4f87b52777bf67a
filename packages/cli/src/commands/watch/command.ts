import { Option, type Command } from "commander";
import { InputError } from "@vipscore/core/errors";
import type { Context } from "../../context.ts";
import {
  parsePort,
  stageOption,
  withConnectionOptions,
  withKeyOption,
  withL1Options,
  withTableOptions,
} from "../../options/commandOptions.ts";
import type { WatchFlags } from "./run.ts";

/** Adds `watch`. */
export function addWatch(command: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(withTableOptions(command))))
    .argument("[words...]")
    .usage("[options] <file>\n       vipscore watch [options] -- <command> [args...]")
    .addOption(stageOption())
    .addOption(
      new Option("--interval <time>", "time between rounds, 1s to 24h, such as 30s, 5m or 1h")
        .argParser(parseInterval)
        .default(60_000, "60s"),
    )
    .option("--prune", "set accounts missing from the rows to 0")
    .option("--packed", "use the cheaper entry point: one event per batch instead of one per score")
    .option("--journal <file>", "file that records each transaction before it is sent")
    .option(
      "--metrics-port <port>",
      "serve Prometheus metrics on this port of 127.0.0.1; 0 picks a free port",
      parsePort("--metrics-port"),
    )
    .addHelpText(
      "after",
      `
Each round reads all rows and does what \`vipscore push\` does. A failed round is reported and retried at the next
interval; if any row is rejected, nothing is written. \`watch\` never finalizes. It exits with status 0 once someone else
has finalized the stage.

Replace the file atomically (write another file, then rename it) so that no round reads half of it. The command runs
without a shell and without vipscore's keys and passwords. Its rows count only if it exits with status 0 within ten
intervals or 10 minutes, whichever is longer.

With --json, prints one object per round, each on one line.

Examples:
  $ vipscore watch scores.csv --stage 12 --interval 5m --prune
  $ vipscore watch --stage 12 --metrics-port 9464 -- ./score.sh --season 3`,
    )
    .action(async (words: string[], flags: WatchFlags) => (await import("./run.ts")).watchStage(context, words, flags));
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Ten of these, the time limit of a command, still fit a timer. */
const longestMs = 24 * 3_600_000;

/**
 * Parses an interval such as `30s`, `5m` or `1h`. Returns milliseconds.
 *
 * @throws InputError `INPUT_INVALID` unless it is from 1 second to 24 hours.
 */
export function parseInterval(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (unitMs[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= longestMs) return milliseconds;
  throw new InputError(`--interval "${text}" is not a time from 1s to 24h, such as 30s, 5m or 1h`);
}
