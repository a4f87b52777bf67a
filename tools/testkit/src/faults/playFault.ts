import { setTimeout as delay } from "node:timers/promises";
import type { ReplicaAnswer, ReplicaRequest } from "../balancer/httpForward.ts";
import type { SeededRandom } from "../seededRandom.ts";
import type { ChosenFault } from "./faultChoice.ts";
import type { FaultKind } from "./faultKinds.ts";
import type { FaultTiming } from "./faultTiming.ts";
import type { NodeProtocol } from "./protocol/nodeProtocol.ts";

/** The reply that a client gets: an answer, or the end of its connection. */
export type Reply = ReplicaAnswer | "reset";

/** The parts that playing a fault needs. */
export interface FaultStage {
  readonly protocol: NodeProtocol;
  readonly timing: FaultTiming;
  /** Forwards the request to the node. */
  readonly forward: (request: ReplicaRequest) => Promise<ReplicaAnswer>;
  /** Forwards the request to a replica that lags behind the node. */
  readonly forwardStale: (request: ReplicaRequest) => Promise<ReplicaAnswer>;
  /** Closes the port for a time. */
  readonly restart: (downMs: number) => void;
  /** Sends a transaction of the same signer to the node; returns the outcome. */
  readonly writeAsOther: () => Promise<string>;
  /** Sets the next block's base fee to this many gwei. */
  readonly jumpBaseFee: (gwei: number) => Promise<void>;
  /** Aborts when the client leaves. */
  readonly left: AbortSignal;
  /** Records how the fault is played. */
  readonly note: (detail: string) => void;
}

const webPage =
  "<!doctype html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>";
const errorStatuses = [500, 502, 503, 504];
const gatewayStatuses = [502, 503];

/** A fault being played. */
interface Play {
  readonly request: ReplicaRequest;
  readonly random: SeededRandom;
  readonly stage: FaultStage;
}

/** Plays a fault on a request. */
export function playFault({ kind, random }: ChosenFault, request: ReplicaRequest, stage: FaultStage): Promise<Reply> {
  return players[kind]({ request, random, stage });
}

const players: Readonly<Record<FaultKind, (play: Play) => Promise<Reply>>> = {
  delay: async ({ request, random, stage }) => {
    const delayMs = 1 + random.below(stage.timing.delayMs);
    stage.note(`${delayMs} ms`);
    await delay(delayMs);
    return stage.forward(request);
  },
  hang: async (play) => {
    await forwardPerhaps(play);
    const { timing, left } = play.stage;
    await delay(timing.hangMs, undefined, { signal: left }).catch(() => undefined);
    return "reset";
  },
  reset: () => Promise.resolve("reset"),
  lostAnswer: async ({ request, stage }) => {
    await stage.forward(request);
    return "reset";
  },
  duplicate: async ({ request, stage }) => {
    await stage.forward(request);
    return stage.forward(request);
  },
  limited: () => Promise.resolve(textAnswer(429, "Too Many Requests")),
  limitedRetryAfter: ({ random, stage }) => {
    const seconds = 1 + random.below(stage.timing.retryAfterSeconds);
    stage.note(`${seconds} s`);
    return Promise.resolve(textAnswer(429, "Too Many Requests", { "retry-after": String(seconds) }));
  },
  unavailable: ({ random, stage }) => {
    const status = random.pick(errorStatuses);
    stage.note(String(status));
    return Promise.resolve(textAnswer(status, ""));
  },
  unavailableAfter: async ({ request, random, stage }) => {
    const status = random.pick(gatewayStatuses);
    stage.note(String(status));
    await stage.forward(request);
    return htmlAnswer(status, `<html><body><h1>${status}</h1></body></html>`);
  },
  internalError: async ({ request, stage }) => {
    await stage.forward(request);
    return stage.protocol.internalError(request);
  },
  webPage: async (play) => {
    await forwardPerhaps(play);
    return htmlAnswer(200, webPage);
  },
  emptyAnswer: async (play) => {
    await forwardPerhaps(play);
    return textAnswer(200, "");
  },
  truncated: async ({ request, stage }) => {
    const answer = await stage.forward(request);
    return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
  },
  wrongAnswer: async ({ request, random, stage }) => {
    const draw = random.below(12);
    stage.note(`variant ${draw}`);
    return stage.protocol.wrong(request, await stage.forward(request), draw);
  },
  staleRead: ({ request, stage }) => stage.forwardStale(request),
  restart: ({ random, stage }) => {
    const downMs = 1 + random.below(stage.timing.downMs);
    stage.note(`${downMs} ms`);
    stage.restart(downMs);
    return Promise.resolve("reset");
  },
  forgotten: ({ request, stage }) => Promise.resolve(stage.protocol.accepted(request)),
  otherWriter: async ({ request, stage }) => {
    stage.note(await stage.writeAsOther());
    return stage.forward(request);
  },
  lyingReceipt: async ({ request, stage }) => stage.protocol.withMoreGas(request, await stage.forward(request)),
  baseFeeJump: async ({ request, random, stage }) => {
    const gwei = 10 ** (1 + random.below(3));
    stage.note(`${gwei} gwei`);
    await stage.jumpBaseFee(gwei);
    return stage.forward(request);
  },
};

/** For an answer that is not the node's, which may come whether or not the node has the request. */
async function forwardPerhaps({ request, random, stage }: Play): Promise<void> {
  const isForwarded = random.below(2) === 0;
  stage.note(isForwarded ? "forwarded" : "not forwarded");
  if (isForwarded) await stage.forward(request);
}

function textAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ReplicaAnswer {
  return { status, headers: { "content-type": "text/plain", ...headers }, body };
}

function htmlAnswer(status: number, body: string): ReplicaAnswer {
  return { status, headers: { "content-type": "text/html" }, body };
}
