import type { Command } from "commander";
import { NodeError, type ContractIdentity, type ScoreContract } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import { withoutNotes, type Context } from "../../context.ts";
import { connectSecond } from "../../contract/connect.ts";
import { systemClock } from "../../io.ts";
import { bridgeIdOption, rollupRestUrlOption, withConnectionOptions, withL1Options } from "../../options.ts";
import { RefusedReport } from "../../output/reportError.ts";
import { intervalOption, isTerminated, repeatEvery, withMetricsOptions, type RoundFlags } from "../../rounds.ts";
import { readConfigFile, type ConfigFile } from "../../settings/projectFiles.ts";
import { readSettings, type Settings } from "../../settings/readSettings.ts";
import { examineRollup, type Examined, type ExamineFlags } from "../doctor/examineRollup.ts";
import { Findings } from "../doctor/findings.ts";
import { FindingLog, type FindingEvent, type OpenFinding } from "./findingLog.ts";
import { checkEndpoints, checkRoles, checkTotalChange, checkWriters, readRoles } from "./guardChecks.ts";
import { guardFileName, readGuardFile, seenOf, writeGuardFile, type Roles, type Seen } from "./guardFile.ts";

export function addGuard(command: Command, context: Context): void {
  withL1Options(withConnectionOptions(command))
    .addOption(bridgeIdOption("asks the rollup"))
    .addOption(rollupRestUrlOption())
    .addOption(intervalOption())
    .option("--once", "one round, for cron; exit status 3 if something requires action");
  withMetricsOptions(command)
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

interface GuardFlags extends ExamineFlags, RoundFlags {
  readonly once?: true;
}

async function runGuard(context: Context, flags: GuardFlags): Promise<void> {
  const { io, output, signal } = context;
  const config = await readConfigFile(io, flags.config);
  const { metricsPort: port, metricsHost: host, once: isOnce = false } = flags;
  const metrics =
    port === undefined ? undefined : await (await import("./metrics.ts")).GuardMetrics.open(output, { host, port });
  const guard = new Guard(context, flags, config);
  const { clock = systemClock } = io;
  try {
    await repeatEvery({ intervalMs: flags.interval, clock, signal }, async () => {
      const { events, examined, findings, open } = await guard.round(clock.now());
      for (const event of events) report(context, event, examined.contract?.identity);
      // After they are printed: a kill in between repeats a line, and loses none.
      await guard.keep();
      metrics?.record(open, examined, findings);
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

/** Where the documentation says what to do; `fix` has the runbook of a stolen key. */
const runbook = "docs/operations.md#findings";

function report({ output }: Context, { event, finding }: FindingEvent, contract: ContractIdentity | undefined): void {
  const { code, severity, text, fix, since } = finding;
  const now = new Date().toISOString().slice(0, 19);
  const next = event === "ends" ? "" : [...fix, runbook].map((step) => `\n  → ${step}`).join("");
  const line = `${now}Z  ${event.padEnd(7)}  ${severity.padEnd(7)}  ${code}: ${text}${next}`;
  output.print(event === "ends" ? `${line}  (since ${since.slice(0, 19)}Z)` : line);
  output.json({ command: "guard", event, contract, ...finding, runbook });
}

const unread: Examined = { contract: undefined, current: undefined, read: undefined };

interface Round {
  readonly events: readonly FindingEvent[];
  readonly examined: Examined;
  readonly findings: Findings;
  readonly open: readonly OpenFinding[];
}

/** What a guard remembers between its rounds, and after a restart. */
class Guard {
  readonly #context: Context;
  readonly #flags: GuardFlags;
  readonly #config: ConfigFile;
  #settings: Settings | undefined;
  #log: FindingLog | undefined;
  #seen: Seen | undefined;

  constructor(context: Context, flags: GuardFlags, config: ConfigFile) {
    [this.#context, this.#flags, this.#config] = [context, flags, config];
  }

  get open(): readonly OpenFinding[] {
    return this.#log?.open ?? [];
  }

  async round(elapsedMs: number): Promise<Round> {
    const findings = new Findings(this.#context.signal);
    const isFirst = this.#seen === undefined;
    // What it notes and warns of, each round would repeat.
    const context = isFirst ? this.#context : withoutNotes(this.#context);
    const settings = (this.#settings ??= await this.#readSettings(context, findings));
    const examine = async () => settings && examineRollup(context, settings, this.#flags, findings, { need: "none" });
    const examined = (await findings.read("rollup", examine)) ?? unread;
    const { contract, read } = examined;
    let seen = this.#seen ?? (await readGuardFile(this.#context.io));
    if (contract !== undefined) seen = seenOf(seen, contract.identity);
    if (settings && contract && read) seen = await this.#compare(settings, contract, read, findings, seen);
    // Of another contract, nothing is open.
    const log = this.#seen?.contract === seen.contract && this.#log ? this.#log : new FindingLog(seen.open);
    // At its start a guard says at once what it cannot read: it may be misconfigured.
    const events = log.update(findings, elapsedMs, { isPatient: !isFirst });
    [this.#log, this.#seen] = [log, { ...seen, open: log.open }];
    return { events, examined, findings, open: log.open };
  }

  /** Writes what was seen to its file. */
  async keep(): Promise<void> {
    if (this.#seen !== undefined) await writeGuardFile(this.#context.io, this.#seen);
  }

  /** Reads the settings. An endpoint that is away, and so does not show which VM it serves, is a finding. */
  #readSettings(context: Context, findings: Findings): Promise<Settings | undefined> {
    return readSettings(context, this.#flags).catch((error: unknown) => {
      if (!(error instanceof NodeError)) throw error;
      return findings.read("rollup", () => Promise.reject(error));
    });
  }

  /** Compares the contract with the settings, and with what was seen of it before; returns what is seen of it now. */
  async #compare(
    settings: Settings,
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
      const from = (role: keyof Roles): string => (role in named ? this.#config.name : guardFileName);
      await findings.add("owner", () => checkRoles(roles, { ...first, ...named }, from));
    }
    const open = stages.find(({ isFinalized }) => !isFinalized);
    if (open === undefined) return { ...before, roles: first };
    await findings.add("writers", () => checkWriters(this.#context.io, contract, open));
    const most = guard?.maxTotalChange;
    if (most !== undefined) await findings.add("total-change", () => checkTotalChange(open, before.stage, most));
    await findings.add("endpoints", async () => {
      const second = await connectSecond(this.#context, settings, contract);
      return second === undefined ? [] : checkEndpoints(contract, second, open, this.#context.signal);
    });
    return { ...before, roles: first, stage: { stage: `${open.stage}`, total: `${open.total}` } };
  }
}
