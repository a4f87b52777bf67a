import type { RequestRole } from "./protocol/nodeProtocol.ts";

/** Properties of a kind of fault. */
export interface FaultTraits {
  /** Description for people. */
  readonly title: string;
  /** The requests that it can hit. */
  readonly roles: readonly RequestRole[];
  /** Maximum per run, for faults that take long or that would change a run beyond what a client can handle. */
  readonly maxPerRun: number;
  /** True if it can only be played on EVM. */
  readonly evmOnly?: boolean;
}

const everywhere: readonly RequestRole[] = ["broadcast", "lookUp", "read"];
const often = 1_000;

/** Every fault that the proxy plays. */
export const faultKinds = {
  delay: { title: "the answer comes late", roles: everywhere, maxPerRun: often },
  hang: { title: "no answer for as long as the client waits", roles: everywhere, maxPerRun: 1 },
  reset: { title: "the connection is reset before the node has the request", roles: everywhere, maxPerRun: often },
  lostAnswer: { title: "the node has the request, then the connection is reset", roles: everywhere, maxPerRun: often },
  duplicate: { title: "the node gets the request twice", roles: everywhere, maxPerRun: often },
  limited: { title: "status 429", roles: everywhere, maxPerRun: often },
  limitedRetryAfter: { title: "status 429 with Retry-After", roles: everywhere, maxPerRun: 3 },
  unavailable: { title: "status 500, 502, 503 or 504 instead of the node", roles: everywhere, maxPerRun: often },
  unavailableAfter: { title: "status 502 or 503 after the node has the request", roles: everywhere, maxPerRun: often },
  internalError: {
    title: "an internal error in the node's form, after the node has it",
    roles: everywhere,
    maxPerRun: often,
  },
  webPage: { title: "HTML with status 200", roles: everywhere, maxPerRun: often },
  emptyAnswer: { title: "nothing with status 200", roles: everywhere, maxPerRun: often },
  truncated: { title: "half of the node's JSON", roles: everywhere, maxPerRun: often },
  wrongAnswer: {
    title: "a valid answer with another id or hash, or without a field",
    roles: everywhere,
    maxPerRun: often,
  },
  staleRead: { title: "the state of an older height", roles: ["lookUp", "read"], maxPerRun: often },
  restart: { title: "the port is closed for a time", roles: everywhere, maxPerRun: 2 },
  forgotten: { title: "the transaction is accepted and dropped", roles: ["broadcast"], maxPerRun: 3 },
  otherWriter: { title: "another transaction of the signer comes first", roles: ["broadcast"], maxPerRun: 2 },
  lyingReceipt: { title: "a receipt with more gas used than its limit", roles: ["lookUp"], maxPerRun: 3 },
  baseFeeJump: { title: "the base fee jumps", roles: ["broadcast"], maxPerRun: 2, evmOnly: true },
} as const satisfies Record<string, FaultTraits>;

/** The name of a fault. */
export type FaultKind = keyof typeof faultKinds;

/** The names of all faults. */
export const allFaultKinds = Object.keys(faultKinds) as readonly FaultKind[];

/** {@link faultKinds} of one kind. */
export function traitsOf(kind: FaultKind): FaultTraits {
  return faultKinds[kind];
}
