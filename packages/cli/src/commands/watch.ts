import { Option, type Command } from "commander";
import {
  stageOption,
  withConnectionOptions,
  withKeyOption,
  withL1Options,
  withTableOptions,
} from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { parsePort } from "../parsePort.ts";
import { parseInterval } from "../watch/parseInterval.ts";
import { findRowOrigin } from "../watch/rowSource.ts";
import { watchStage, type WatchFlags } from "../watch/watchStage.ts";

/** Adds `watch`. */
export function addWatch(program: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(withTableOptions(program.command("watch [words...]")))))
    .usage("[options] <file>\n       vipscore watch [options] -- <command> [args...]")
    .description(
      "keep an open stage in step with a file, or with the rows that a command prints, until it is finalized",
    )
    .addOption(stageOption())
    .addOption(
      new Option("--interval <time>", "time between rounds, from 1s to 24h: 30s, 5m, 1h")
        .argParser(parseInterval)
        .default(60_000, "60s"),
    )
    .option("--prune", "set accounts missing from the rows to 0")
    .option(
      "--packed",
      "write through the cheaper entry point, with one event for a batch instead of one for each score",
    )
    .option("--journal <file>", "where transactions are noted before they leave")
    .option(
      "--metrics-port <port>",
      "serve metrics for Prometheus on this port of 127.0.0.1, 0 for any free one",
      parsePort("--metrics-port"),
    )
    .addHelpText(
      "after",
      `
Every round reads all rows and does what \`vipscore push\` does with them. A round that fails is reported and tried again
at the next interval; rows that are rejected write nothing. It never finalizes, and ends with status 0 when somebody does.

Replace the file in one step (write another one, then rename it), so that no round reads half of it. The command runs
without a shell and without vipscore's keys and passwords. Its rows count when it ends with status 0, within ten intervals
or 10 minutes, whichever is longer.

With --json, one object for each round, on one line.

Examples:
  $ vipscore watch scores.csv --stage 12 --interval 5m --prune
  $ vipscore watch --stage 12 --metrics-port 9464 -- ./score.sh --season 3`,
    )
    .action((words: string[], flags: WatchFlags) => watchStage(context, findRowOrigin(context, words), flags));
}
