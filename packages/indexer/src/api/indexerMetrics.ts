import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { FollowEvent } from "../follow/patiently.ts";
import type { Store } from "../store/store.ts";
import { times } from "../times.ts";

/** Bounds of the duration's buckets, in seconds: from one token to the longest that the database may take. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8];

/** The metrics of an indexer: those of the index from its database, the others of this process. */
export class IndexerMetrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #height = this.#gauge("vipscore_indexer_height", "Newest indexed block.");
  readonly #head = this.#gauge("vipscore_indexer_head", "The chain's newest block when the follower last looked.");
  readonly #lag = this.#gauge("vipscore_indexer_lag_blocks", "Blocks that the chain had above the indexed one then.");
  readonly #seen = this.#gauge(
    "vipscore_indexer_seen_timestamp_seconds",
    "Unix time at which the follower last looked, 0 before it did.",
  );
  readonly #leftOut = this.#gauge("vipscore_indexer_left_out", "Items that were left out of the index.");
  readonly #pendingUris = this.#gauge("vipscore_indexer_pending_uris", "Tokens whose URI is not read yet.");
  readonly #scoresHeight = this.#gauge("vipscore_indexer_scores_height", "Block up to which scores are followed.");
  readonly #scoresLag = this.#gauge("vipscore_indexer_scores_lag_blocks", "Blocks that the chain had above that one.");
  readonly #differences = this.#gauge(
    "vipscore_indexer_scores_differences",
    "Scores that differed from what events had said, and were repaired from the contract.",
  );
  readonly #changes = this.#counter("vipscore_indexer_changes_total", "Changes of NFTs that this process indexed.");
  readonly #waits = this.#counter(
    "vipscore_indexer_waits_total",
    "Attempts of this process that a node or the database failed.",
  );
  readonly #requests = new Counter({
    name: "vipscore_indexer_requests_total",
    help: "Requests to this process, by the status of their answer.",
    labelNames: ["status"],
    registers: this.#registers,
  });
  readonly #duration = new Histogram({
    name: "vipscore_indexer_request_duration_seconds",
    help: "Time until the answer of a request was ready to be sent.",
    buckets: durationBuckets,
    registers: this.#registers,
  });
  readonly #kept = this.#counter(
    "vipscore_indexer_kept_answers_total",
    "Requests to this process whose answer was kept from an earlier one.",
  );
  readonly contentType = this.#registry.contentType;

  constructor() {
    // A rate needs a first value, even before the first event.
    this.#requests.inc({ status: "200" }, 0);
  }

  /** Counts what the follower reports. */
  countEvent(event: FollowEvent): void {
    if (event.type === "indexed") this.#changes.inc(event.changes);
    else if (event.type === "waiting") this.#waits.inc();
  }

  /** Counts an answer. */
  countRequest(status: number, seconds: number): void {
    this.#requests.inc({ status: String(status) });
    this.#duration.observe(seconds);
  }

  /** Counts an answer that was kept from an earlier request; {@link countRequest} counts it, too. */
  countKept(): void {
    this.#kept.inc();
  }

  /** Returns the metrics in Prometheus' text format. */
  async text(store: Store): Promise<string> {
    const status = await store.readStatus();
    if (status !== undefined) {
      this.#height.set(status.height);
      this.#head.set(status.seen?.head ?? status.height);
      this.#lag.set(lagOf(status));
      this.#seen.set((status.seen?.at ?? 0) / 1000);
      this.#leftOut.set(status.leftOut);
      this.#pendingUris.set(status.pendingUris);
    }
    const scores = await store.scores.read();
    if (scores !== undefined) {
      this.#scoresHeight.set(scores.height);
      this.#scoresLag.set(lagOf(scores));
      this.#differences.set(scores.differences);
    }
    return this.#registry.metrics();
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: this.#registers });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: this.#registers });
  }
}

/** Up to where something is indexed, and the chain's newest height when its follower last looked, in milliseconds since 1970. */
export interface HeadSeen {
  readonly height: number;
  readonly seen: { readonly head: number; readonly at: number } | undefined;
}

/** Returns how many blocks the index is behind the chain; undefined if no follower has said so in the last minute. */
export function currentLag(state: HeadSeen | undefined): number | undefined {
  if (state?.seen === undefined || Date.now() - state.seen.at > times.headSeenMs) return undefined;
  return lagOf(state);
}

/** Returns how many blocks the index was behind the chain when the follower last looked; 0 before it did. */
export function lagOf({ height, seen }: HeadSeen): number {
  return Math.max(0, (seen?.head ?? height) - height);
}
