import { Gauge, Registry } from "prom-client";
import { serveMetrics, type Listening, type MetricsServer } from "../../output/metricsServer.ts";
import type { Output } from "../../output/output.ts";
import type { Examined } from "../doctor/examineRollup.ts";
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
  readonly #lastCheck = this.#gauge("last_check", "Unix time at which the last round ended, 0 before the first.");
  readonly #stageOnL1 = this.#gauge("stage_l1", "L1's current stage, 0 before it was read.");
  readonly #stageEnds = this.#gauge("stage_l1_ends_timestamp", "Unix time at which L1's stage is due to end.");
  readonly #stageOpen = this.#gauge("stage_open", "The contract's open stage, 0 before it was read.");
  readonly #total = this.#gauge("total", "Total of the open stage; rounded above 2^53.");
  #server: MetricsServer | undefined;

  /** Starts to serve `/metrics` and `/healthz`, and prints the URL; port 0 picks a free one. */
  static async open(output: Output, at: Listening): Promise<GuardMetrics> {
    const metrics = new GuardMetrics();
    metrics.#server = await serveMetrics(output, metrics.#registry, at);
    return metrics;
  }

  record(open: readonly OpenFinding[], { current, read }: Examined): void {
    this.#findings.reset();
    for (const { code, severity, since } of open) this.#findings.set({ code, severity }, Date.parse(since) / 1000);
    this.#lastCheck.set(Date.now() / 1000);
    if (current !== undefined) {
      this.#stageOnL1.set(Number(current.stage));
      this.#stageEnds.set(current.endsAt.getTime() / 1000);
    }
    const stage = read?.stages.find(({ isFinalized }) => !isFinalized);
    if (stage === undefined) return;
    this.#stageOpen.set(Number(stage.stage));
    this.#total.set(Number(stage.total));
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `vipscore_guard_${name}`, help, registers: this.#registers });
  }
}
