import { setTimeout as delay } from "node:timers/promises";
import type { ProxyAnswer, ProxyRequest, Reply } from "../proxy/startProxy.ts";
import type { SeededRandom } from "../seededRandom.ts";
import type { ChosenFault, FaultKind } from "./faultChoice.ts";
import type { NodeProtocol } from "./nodeProtocol.ts";

/** Durations of faults, in milliseconds. */
export interface FaultTiming {
  /** Longest delay. */
  readonly delayMs: number;
  /** Time that an answer hangs before the connection is reset, unless the client leaves first. */
  readonly hangMs: number;
  /** Longest time that the port stays closed. */
  readonly downMs: number;
  /** Lag of a stale read. */
  readonly lagMs: number;
  /** Highest `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number;
}

/** Like a bad day: a hang is longer than a client waits. */
export const fullTiming: FaultTiming = {
  delayMs: 2_000,
  hangMs: 45_000,
  downMs: 5_000,
  lagMs: 1_000,
  retryAfterSeconds: 3,
};

/** For tests, whose nodes make a block every 100 ms. */
export const shortTiming: FaultTiming = { delayMs: 200, hangMs: 500, downMs: 500, lagMs: 300, retryAfterSeconds: 1 };

/** The parts that playing a fault needs. */
interface FaultStage {
  readonly protocol: NodeProtocol;
  readonly timing: FaultTiming;
  /** Forwards the request to the node. */
  readonly forward: (request: ProxyRequest) => Promise<ProxyAnswer>;
  /** Forwards the request to a replica that lags behind the node. */
  readonly forwardStale: (request: ProxyRequest) => Promise<ProxyAnswer>;
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
  readonly request: ProxyRequest;
  readonly random: SeededRandom;
  readonly stage: FaultStage;
}

export function playFault({ kind, random }: ChosenFault, request: ProxyRequest, stage: FaultStage): Promise<Reply> {
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

function textAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ProxyAnswer {
  return { status, headers: { "content-type": "text/plain", ...headers }, body };
}

function htmlAnswer(status: number, body: string): ProxyAnswer {
  return { status, headers: { "content-type": "text/html" }, body };
}
