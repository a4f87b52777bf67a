import { Option, type Command } from "commander";
import type { ScoreContract } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { connectSecond } from "../../contract/connect.ts";
import { systemClock } from "../../io.ts";
import { bridgeIdOption, parsePort, rollupRestUrlOption, withConnectionOptions, withL1Options } from "../../options.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { readConfigFile, type ConfigFile } from "../../settings/projectFiles.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { examineRollup, type Examined } from "../doctor/examineRollup.ts";
import { Findings } from "../doctor/findings.ts";
import { withoutNotes } from "../doctor/run.ts";
import { parseInterval, repeatEvery } from "../watch/interval.ts";
import { isTerminated } from "../watch/run.ts";
import { FindingLog, type FindingEvent, type OpenFinding } from "./findingLog.ts";
import { checkEndpoints, checkRoles, checkTotalChange, checkWriters, readRoles } from "./guardChecks.ts";
import { guardFileName, readGuardFile, seenOf, writeGuardFile, type Seen } from "./guardFile.ts";

export function addGuard(command: Command, context: Context): void {
  withL1Options(withConnectionOptions(command))
    .addOption(bridgeIdOption("asks the rollup"))
    .addOption(rollupRestUrlOption())
    .addOption(
      new Option("--interval <time>", "time between rounds, 1s to 24h, such as 30s, 5m or 1h")
        .argParser(parseInterval)
        .default(60_000, "60s"),
    )
    .option("--once", "one round, for cron; exit status 3 if something requires action")
    .option(
      "--metrics-port <port>",
      "serve Prometheus metrics on this port; 0 picks a free port",
      parsePort("--metrics-port"),
    )
    .option("--metrics-host <address>", "address to serve them on", "127.0.0.1")
    .addHelpText(
      "after",
      `
Does what \`vipscore doctor\` does again and again, without a key, and compares what it sees with what it saw before. Prints a
line when a finding begins, changes or ends. With --json, each is an object on one line.

Examples:
  $ vipscore guard --interval 5m --metrics-port 9465
  $ vipscore guard --once`,
    )
    .action((flags: GuardFlags) => runGuard(context, flags));
}

interface GuardFlags extends ConnectionFlags {
  readonly bridgeId?: bigint;
  readonly interval: number;
  readonly once?: true;
  readonly metricsPort?: number;
  readonly metricsHost: string;
}

async function runGuard(context: Context, flags: GuardFlags): Promise<void> {
  const { io, output, signal } = context;
  const settings = await readSettings(context, flags);
  const config = await readConfigFile(io, flags.config);
  const { metricsPort: port, metricsHost: host, once: isOnce = false } = flags;
  const metrics =
    port === undefined ? undefined : await (await import("./metrics.ts")).GuardMetrics.open(output, { host, port });
  const guard = new Guard(context, settings, flags, config);
  const { clock = systemClock } = io;
  try {
    await repeatEvery({ intervalMs: flags.interval, clock, signal }, async () => {
      const { events, examined, open } = await guard.round(isOnce);
      for (const event of events) report(context, event);
      metrics?.record(open, examined);
      return isOnce;
    });
    const { open } = guard;
    const actions = open.filter(({ severity }) => severity === "action");
    if (actions.length === 0) return;
    throw new RefusedReport(`${count(actions.length, "finding")} of ${open.length} require action`, {
      code: "ACTION_REQUIRED",
      report: { command: "guard", findings: open },
    });
  } catch (error) {
    if (!isTerminated(io.signal)) throw error;
    output.note("stopped by SIGTERM");
  } finally {
    await metrics?.stop();
  }
}

function report({ output }: Context, { event, finding }: FindingEvent): void {
  const { code, severity, text, fix, since } = finding;
  const now = new Date().toISOString().slice(0, 19);
  const next = event === "ends" ? "" : fix.map((step) => `\n  → ${step}`).join("");
  const line = `${now}Z  ${event.padEnd(7)}  ${severity.padEnd(7)}  ${code}: ${text}${next}`;
  output.print(event === "ends" ? `${line}  (since ${since.slice(0, 19)}Z)` : line);
  output.json({ command: "guard", event, ...finding });
}

interface Round {
  readonly events: readonly FindingEvent[];
  readonly examined: Examined;
  readonly open: readonly OpenFinding[];
}

/** What a guard remembers between its rounds, and after a restart. */
class Guard {
  readonly #context: Context;
  readonly #settings: Settings;
  readonly #flags: GuardFlags;
  readonly #config: ConfigFile;
  #log: FindingLog | undefined;
  #seen: Seen | undefined;

  constructor(context: Context, settings: Settings, flags: GuardFlags, config: ConfigFile) {
    [this.#context, this.#settings, this.#flags, this.#config] = [context, settings, flags, config];
  }

  get open(): readonly OpenFinding[] {
    return this.#log?.open ?? [];
  }

  async round(isOnce: boolean): Promise<Round> {
    const findings = new Findings(this.#context.signal);
    // What it notes and warns of, each round would repeat.
    const context = this.#log === undefined ? this.#context : withoutNotes(this.#context);
    const examined = await examineRollup(context, this.#settings, this.#flags, findings, { need: "none" });
    const { contract, read } = examined;
    let seen = this.#seen ?? (await readGuardFile(this.#context.io));
    if (contract !== undefined) seen = seenOf(seen, contract.identity);
    if (contract !== undefined && read !== undefined) seen = await this.#compare(contract, read, findings, seen);
    // Of another contract, nothing is open.
    const log = this.#seen?.contract === seen.contract && this.#log ? this.#log : new FindingLog(seen.open);
    const events = log.update(findings.inOrder, new Date(), isOnce);
    [this.#log, this.#seen] = [log, { ...seen, open: log.open }];
    await writeGuardFile(this.#context.io, this.#seen);
    return { events, examined, open: log.open };
  }

  /** Compares the contract with the settings, and with what was seen of it before; returns what is seen of it now. */
  async #compare(
    contract: ScoreContract,
    { at, stages }: NonNullable<Examined["read"]>,
    findings: Findings,
    before: Seen,
  ): Promise<Seen> {
    const { guard } = this.#config;
    const roles = await findings.read("owner", () => readRoles(contract, at));
    const first = before.roles ?? roles;
    if (roles !== undefined) {
      const { owner, finalizer, members } = guard ?? {};
      const named = { ...(owner && { owner }), ...(finalizer && { finalizer }), ...(members && { members }) };
      const from = guard === undefined ? guardFileName : this.#config.name;
      await findings.add("owner", () => checkRoles(roles, { ...first, ...named }, from));
    }
    const open = stages.find(({ isFinalized }) => !isFinalized);
    if (open === undefined) return { ...before, roles: first };
    await findings.add("writers", () => checkWriters(this.#context, contract, open));
    const most = guard?.maxTotalChange;
    if (most !== undefined) await findings.add("total-change", () => checkTotalChange(open, before.stage, most));
    await findings.add("endpoints", async () => {
      const second = await connectSecond(this.#context, this.#settings, contract);
      return second === undefined ? [] : checkEndpoints(contract, second, open, this.#context.signal);
    });
    return { ...before, roles: first, stage: { stage: `${open.stage}`, total: `${open.total}` } };
  }
}
