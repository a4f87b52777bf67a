import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ContractIdentity, PushEvent, Stage } from "@vipscore/core";
import { serveMetrics, type Listening, type MetricsServer } from "../../output/metricsServer.ts";
import type { Output } from "../../output/output.ts";
import { outcomeOf, type Round } from "./report.ts";

/** Bounds of the duration's buckets, in seconds: from a round that changes nothing to a push of a million rows. */
const durationBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

/**
 * The metrics of a watch. Prometheus only has floats: a total above 2^53 is rounded here, and nowhere else.
 */
export class WatchMetrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #rounds = new Counter({
    name: "vipscore_watch_rounds_total",
    help: "Rounds by outcome: ok, waiting for L1 or the stage's file, or failed.",
    labelNames: ["outcome"],
    registers: this.#registers,
  });
  readonly #lastSuccess = this.#gauge(
    "vipscore_watch_last_success_timestamp_seconds",
    "Unix time at which the last successful round ended, 0 before the first.",
  );
  readonly #duration = new Histogram({
    name: "vipscore_watch_round_duration_seconds",
    help: "Duration of a round, including its pushes.",
    buckets: durationBuckets,
    registers: this.#registers,
  });
  readonly #tableRows = this.#gauge("vipscore_watch_table_rows", "Rows of the newest table that could be read.");
  readonly #stageScore = this.#gauge(
    "vipscore_watch_stage_score",
    "The stage's total score as last read from the contract; rounded above 2^53.",
  );
  readonly #transactions = this.#counter("vipscore_watch_transactions_total", "Transactions handed to the node.");
  readonly #rowsWritten = this.#counter("vipscore_watch_rows_written_total", "Rows in transactions that succeeded.");
  readonly #setbacks = this.#counter("vipscore_watch_setbacks_total", "Transactions that did not go through.");
  readonly #finalizeDue = this.#gauge(
    "vipscore_watch_finalize_due",
    "1 once L1 has moved past the stage, which is then to be finalized; 0 before, and without L1.",
  );
  readonly #balance = this.#tokenGauge("vipscore_watch_signer_balance", "The signer's balance, in whole fee tokens.");
  readonly #gasPrice = this.#tokenGauge("vipscore_watch_gas_price", "Price of one unit of gas, in whole fee tokens.");

  #server: MetricsServer | undefined;

  /** Starts to serve `/metrics` and `/healthz`, and prints the URL; port 0 picks a free one. */
  static async open(output: Output, at: Listening): Promise<WatchMetrics> {
    const metrics = new WatchMetrics();
    metrics.#server = await serveMetrics(output, metrics.#registry, at);
    return metrics;
  }

  /** Labels all samples with the stage that is followed from now on, and counts from 0. */
  follow(stage: Stage, { chainId, address }: ContractIdentity): void {
    this.#registry.resetMetrics();
    this.#registry.setDefaultLabels({ stage: `${stage}`, chain_id: chainId, contract: address });
    // A rate needs a first value, even before the first event.
    for (const outcome of ["ok", "waiting", "failed"]) this.#rounds.inc({ outcome }, 0);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  countEvent(event: PushEvent): void {
    if (event.type === "sent") this.#transactions.inc();
    else if (event.type === "confirmed") this.#rowsWritten.inc(event.rows);
    else if (event.type === "setback") this.#setbacks.inc();
  }

  recordRound(round: Round): void {
    const { table, plan, verification } = round.progress;
    const outcome = outcomeOf(round);
    if (outcome !== "finalized") this.#rounds.inc({ outcome });
    if (outcome === "ok") this.#lastSuccess.set(round.at.getTime() / 1000);
    this.#duration.observe(round.seconds);
    this.#finalizeDue.set(round.progress.isFinalizeDue === true ? 1 : 0);
    if (table !== undefined) this.#tableRows.set(table.size);
    const total = verification?.total.contract ?? plan?.chain.total;
    if (total !== undefined) this.#stageScore.set(Number(total));
    if (plan?.fees === undefined) return;
    const { balance, gasPrice, token } = plan.fees;
    const unit = 10 ** token.decimals;
    this.#balance.set({ token: token.symbol }, Number(balance) / unit);
    this.#gasPrice.set({ token: token.symbol }, Number(gasPrice.amount) / Number(gasPrice.per) / unit);
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: this.#registers });
  }

  #tokenGauge(name: string, help: string): Gauge<"token"> {
    return new Gauge({ name, help, labelNames: ["token"], registers: this.#registers });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: this.#registers });
  }
}
