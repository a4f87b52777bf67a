import type { ReplicaAnswer, ReplicaRequest } from "@vipscore/testkit/httpForward";
import { setTimeout as delay } from "node:timers/promises";
import type { ChosenFault } from "./faultChoice.ts";
import type { FaultTiming } from "./faultTiming.ts";
import type { NodeProtocol } from "./protocol/nodeProtocol.ts";

/** What a client gets: an answer, or the end of its connection. */
export type Reply = ReplicaAnswer | "reset";

/** What a fault is played with. */
export interface FaultStage {
  readonly protocol: NodeProtocol;
  readonly timing: FaultTiming;
  /** Hands the request to the node. */
  readonly forward: (request: ReplicaRequest) => Promise<ReplicaAnswer>;
  /** Hands the request to a replica that is behind the node. */
  readonly forwardStale: (request: ReplicaRequest) => Promise<ReplicaAnswer>;
  /** Closes the port for a time. */
  readonly restart: (downMs: number) => void;
  /** Sends a transaction of the same signer to the node; returns what became of it. */
  readonly writeAsOther: () => Promise<string>;
  /** Makes the next block's base fee this many gwei. */
  readonly jumpBaseFee: (gwei: number) => Promise<void>;
  /** Ends when the client leaves. */
  readonly left: AbortSignal;
  /** Notes how the fault is played. */
  readonly note: (detail: string) => void;
}

const webPage =
  "<!doctype html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>";
const errorStatuses = [500, 502, 503, 504];
const gatewayStatuses = [502, 503];

/** Plays a fault on a request. */
export async function playFault(
  { kind, random }: ChosenFault,
  request: ReplicaRequest,
  stage: FaultStage,
): Promise<Reply> {
  const { protocol, timing, forward, note } = stage;
  /** An answer that is not the node's, whether the node has the request or not. */
  const instead = async (answer: ReplicaAnswer): Promise<ReplicaAnswer> => {
    const isForwarded = random.below(2) === 0;
    note(isForwarded ? "forwarded" : "not forwarded");
    if (isForwarded) await forward(request);
    return answer;
  };
  switch (kind) {
    case "delay": {
      const delayMs = 1 + random.below(timing.delayMs);
      note(`${delayMs} ms`);
      await delay(delayMs);
      return forward(request);
    }
    case "hang": {
      await instead(textAnswer(200, ""));
      await delay(timing.hangMs, undefined, { signal: stage.left }).catch(() => undefined);
      return "reset";
    }
    case "reset":
      return "reset";
    case "lostAnswer":
      await forward(request);
      return "reset";
    case "duplicate":
      await forward(request);
      return forward(request);
    case "limited":
      return textAnswer(429, "Too Many Requests");
    case "limitedRetryAfter": {
      const seconds = 1 + random.below(timing.retryAfterSeconds);
      note(`${seconds} s`);
      return textAnswer(429, "Too Many Requests", { "retry-after": String(seconds) });
    }
    case "unavailable": {
      const status = random.pick(errorStatuses);
      note(String(status));
      return textAnswer(status, "");
    }
    case "unavailableAfter": {
      const status = random.pick(gatewayStatuses);
      note(String(status));
      await forward(request);
      return htmlAnswer(status, `<html><body><h1>${status}</h1></body></html>`);
    }
    case "internalError":
      await forward(request);
      return protocol.internalError(request);
    case "webPage":
      return instead(htmlAnswer(200, webPage));
    case "emptyAnswer":
      return instead(textAnswer(200, ""));
    case "truncated": {
      const answer = await forward(request);
      return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
    }
    case "wrongAnswer": {
      const draw = random.below(12);
      note(`variant ${draw}`);
      return protocol.wrong(request, await forward(request), draw);
    }
    case "staleRead":
      return stage.forwardStale(request);
    case "restart": {
      const downMs = 1 + random.below(timing.downMs);
      note(`${downMs} ms`);
      stage.restart(downMs);
      return "reset";
    }
    case "forgotten":
      return protocol.accepted(request);
    case "otherWriter":
      note(await stage.writeAsOther());
      return forward(request);
    case "lyingReceipt":
      return protocol.withMoreGas(request, await forward(request));
    case "baseFeeJump": {
      const gwei = 10 ** (1 + random.below(3));
      note(`${gwei} gwei`);
      await stage.jumpBaseFee(gwei);
      return forward(request);
    }
  }
}

function textAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ReplicaAnswer {
  return { status, headers: { "content-type": "text/plain", ...headers }, body };
}

function htmlAnswer(status: number, body: string): ReplicaAnswer {
  return { status, headers: { "content-type": "text/html" }, body };
}
