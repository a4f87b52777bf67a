import { createHash } from "node:crypto";
import type { Vm } from "@vipscore/core";
import { seededRandom, type SeededRandom } from "../seededRandom.ts";
import type { ClassifiedRequest, RequestRole } from "./nodeProtocol.ts";

/** Properties of a kind of fault. */
interface FaultTraits {
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

/** The faults of a run, and the percentage of its requests that they hit. */
export interface FaultProfile {
  readonly kinds: readonly FaultKind[];
  /** Percentage of the requests of each role. */
  readonly percent: Readonly<Record<RequestRole, number>>;
  /** How far the node is behind the chain during the whole run, in milliseconds. Default: not at all. */
  readonly lagMs?: number;
}

/**
 * Transactions are rare compared with reads, so faults hit them more often. Some profiles leave reads alone, so that a client
 * that cannot handle a failed read still reaches its transactions.
 */
const levels: readonly FaultProfile["percent"][] = [
  { broadcast: 15, lookUp: 8, read: 4 },
  { broadcast: 30, lookUp: 15, read: 8 },
  { broadcast: 50, lookUp: 25, read: 15 },
  { broadcast: 40, lookUp: 20, read: 0 },
  { broadcast: 70, lookUp: 40, read: 0 },
];

/** Draws the profile of a run: all faults in one of three runs, otherwise one to three kinds. */
export function drawProfile(seed: number, vm: Vm): FaultProfile {
  const random = randomFor(seed, "profile");
  const possible = allFaultKinds.filter((kind) => vm === "evm" || traitsOf(kind).evmOnly !== true);
  const percent = random.pick(levels);
  if (random.below(3) === 0) return { kinds: possible, percent };
  const count = 1 + random.below(3);
  const kinds = new Set<FaultKind>();
  while (kinds.size < count) kinds.add(random.pick(possible));
  return { kinds: [...kinds], percent };
}

/** Draws the profile of a run whose only fault is that its node is 1 to 3 s behind. */
export function drawLag(seed: number): FaultProfile {
  const lagMs = 1_000 + randomFor(seed, "lag").below(2_001);
  return { kinds: [], percent: { broadcast: 0, lookUp: 0, read: 0 }, lagMs };
}

/** The fault of one request. */
export interface ChosenFault {
  readonly kind: FaultKind;
  /** Determines how it is played: for how long, with which status. */
  readonly random: SeededRandom;
}

/** Chooses the fault of each request, or none. */
export type ChooseFault = (request: ClassifiedRequest) => ChosenFault | undefined;

/**
 * Chooses by the seed, the kind of request, and how often it was made before. So an extra poll, which depends on timing, does
 * not change the faults of other requests.
 */
export function chooseBySeed(seed: number, { kinds, percent }: FaultProfile): ChooseFault {
  const counts = new Map<string, number>();
  const played = new Map<FaultKind, number>();
  return ({ role, title }) => {
    const ordinal = counts.get(title) ?? 0;
    counts.set(title, ordinal + 1);
    const random = randomFor(seed, `request ${ordinal} ${title}`);
    if (random.below(100) >= percent[role]) return undefined;
    const possible = kinds.filter((kind) => {
      const { roles, maxPerRun } = traitsOf(kind);
      return roles.includes(role) && (played.get(kind) ?? 0) < maxPerRun;
    });
    if (possible.length === 0) return undefined;
    const kind = random.pick(possible);
    played.set(kind, (played.get(kind) ?? 0) + 1);
    return { kind, random };
  };
}

/** Separate randomness for each purpose of a seed, so that an extra draw for one purpose does not change the others. */
export function randomFor(seed: number, purpose: string): SeededRandom {
  return seededRandom(createHash("sha256").update(`${seed} ${purpose}`).digest().readUIntBE(0, 6));
}
