import type { PushEvent } from "@vipscore/core";
import type { Output } from "../../output/output.ts";
import type { Round } from "./round.ts";

/** The metrics of a watch. */
export interface OpenMetrics {
  countEvent(event: PushEvent): void;
  recordRound(round: Round): void;
  stop(): Promise<void>;
}

/**
 * Starts to serve metrics on a port of 127.0.0.1, and prints the URL; does nothing without a port.
 *
 * @throws InputError `CONFIG_INVALID` when the port cannot be opened.
 */
export async function openMetrics(output: Output, port: number | undefined): Promise<OpenMetrics> {
  if (port === undefined) {
    return { countEvent: () => undefined, recordRound: () => undefined, stop: () => Promise.resolve() };
  }
  const [{ WatchMetrics }, { serveMetrics }] = await Promise.all([
    import("./watchMetrics.ts"),
    import("./serveMetrics.ts"),
  ]);
  const metrics = new WatchMetrics();
  const server = await serveMetrics(metrics.registry, port);
  output.note(output.paintNote("dim", `metrics   ${server.url}`));
  return {
    countEvent: (event) => metrics.countEvent(event),
    recordRound: (round) => metrics.recordRound(round),
    stop: () => server.stop(),
  };
}
