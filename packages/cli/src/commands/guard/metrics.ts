import { Gauge, Registry } from "prom-client";
import { serveMetrics, type Listening, type MetricsServer } from "../../output/metricsServer.ts";
import type { Output } from "../../output/output.ts";
import type { Examined } from "../doctor/examineRollup.ts";
import type { Findings } from "../doctor/findings.ts";
import type { OpenFinding } from "./findingLog.ts";

/** The metrics of a guard: its findings, and what it has read. */
export class GuardMetrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #findings = new Gauge({
    name: "vipscore_finding",
    help: "Unix time at which a finding began; absent without it.",
    labelNames: ["code", "severity"],
    registers: this.#registers,
  });
  readonly #lastCheck = this.#gauge("last_check_seconds", "Unix time at which the last round ended.");
  readonly #stageOnL1 = this.#gauge("stage_l1", "L1's current stage.");
  readonly #stageEnds = this.#gauge("stage_l1_ends_seconds", "Unix time at which L1's stage is due to end.");
  readonly #stageOpen = this.#gauge("stage_open", "The contract's open stage.");
  readonly #stageFinalized = this.#gauge("stage_finalized", "The contract's newest finalized stage.");
  readonly #total = this.#gauge("total", "Total of the open stage; rounded above 2^53.");
  readonly #members = this.#gauge("members", "Number of accounts that may write scores.");
  readonly #bridgeBalance = this.#gauge("bridge_balance", "What the bridge holds on L1, in the smallest unit.");
  readonly #challengeEnds = this.#gauge(
    "challenge_ends_seconds",
    "Unix time until which a challenge of a snapshot that differs helps; 0 if none differs.",
  );
  #server: MetricsServer | undefined;

  /** Starts to serve `/metrics` and `/healthz`, and prints the URL; port 0 picks a free one. */
  static async open(output: Output, at: Listening): Promise<GuardMetrics> {
    const metrics = new GuardMetrics();
    metrics.#server = await serveMetrics(output, metrics.#registry, at);
    return metrics;
  }

  /** Serves what a round has found and read. What it could not read stays as it was, and is 0 at first. */
  record(open: readonly OpenFinding[], { current, read }: Examined, { facts, made }: Findings): void {
    this.#findings.reset();
    for (const { code, severity, since } of open) this.#findings.set({ code, severity }, Date.parse(since) / 1000);
    this.#lastCheck.set(Date.now() / 1000);
    if (current !== undefined) {
      this.#stageOnL1.set(Number(current.stage));
      this.#stageEnds.set(current.endsAt.getTime() / 1000);
    }
    const stage = read?.stages.find(({ isFinalized }) => !isFinalized);
    if (stage !== undefined) {
      this.#stageOpen.set(Number(stage.stage));
      this.#total.set(Number(stage.total));
    }
    const finalized = read?.stages.findLast(({ isFinalized }) => isFinalized)?.stage;
    if (finalized !== undefined) this.#stageFinalized.set(Number(finalized));
    const { members, bridgeBalance, challengeEnds = 0 } = facts;
    if (members !== undefined) this.#members.set(members);
    if (bridgeBalance !== undefined) this.#bridgeBalance.set(bridgeBalance);
    if (made.has("snapshot")) this.#challengeEnds.set(challengeEnds);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `vipscore_guard_${name}`, help, registers: this.#registers });
  }
}
