import { NodeError } from "@vipscore/core";
import {
  callJsonRpc,
  callTogether,
  isBehind,
  isRefusalToWork,
  isRefused,
  Patience,
  pauses,
  retryRead,
  RpcError,
  UnreadableAnswer,
  type Answer,
  type HttpEndpoint,
  type RetryReadOptions,
} from "@vipscore/core/wire";
import { isTransient, isUnreadable, mayBeOfSize } from "../readErrors.ts";

export const timeoutMs = 15_000;

/** Largest answer that is read as a whole, in bytes: the logs of many blocks, or the texts of a batch of calls. */
export const maxBytes = 16_777_216;

/**
 * Calls in one HTTP request. geth and minievm accept 1,000 (`DefaultBatchRequestLimit`), public endpoints often 100.
 */
const batchSize = 100;

const requestsAtOnce = 4;

/** One call of a method. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Maximum times that `readAll` sends it if the node refuses, perhaps because it asks for too much. Default: no limit but the patience. */
  readonly tries?: number;
}

/** Result of a call in a batch, or why it failed. */
export type Outcome<T> = T | NodeError;

/**
 * Applies `read` to the results of many calls, each as it arrives, because they may be larger than memory. Results
 * are in the order of the calls, which are sent in batches, a few at a time. Calls that the node refuses to serve are sent
 * again, in smaller batches and more slowly, while it serves any of them within the patience. A refusal that stays replaces
 * its result, as does the failure of a call whose own answer is too slow or too large.
 *
 * @throws NodeError `NODE_UNREACHABLE` if the node does not answer, `NODE_BAD_RESPONSE` for a result that `read`
 * rejects; the signal's reason when aborted.
 */
export type BatchReader = <C extends RpcCall, T>(
  calls: readonly C[],
  read: ReadResult<C, T>,
  signal: AbortSignal,
) => Promise<readonly Outcome<T>[]>;

type ReadResult<C, T> = (answer: Answer, call: C) => T;

/** The outcome of a call, or the node's refusal to serve it now; undefined if it has to be sent alone. */
type Settled<T> = { readonly outcome: Outcome<T> } | { readonly refusal: NodeError } | undefined;

/** System codes of a connection that the other side closed. */
const closedTexts = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

export function batchReader(
  endpoint: HttpEndpoint,
  retry: Omit<RetryReadOptions, "signal"> & { readonly patienceMs: number },
): BatchReader {
  const { patienceMs } = retry;
  /** For calls that are sent again together with others. */
  const once = { ...retry, isFinal: (error: NodeError): boolean => !isTransient(error) || isRefusalToWork(error) };
  const alone = async <C extends RpcCall, T>(
    call: C,
    read: ReadResult<C, T>,
    signal: AbortSignal,
  ): Promise<Settled<T>> => {
    const { method, params } = call;
    const ask = () =>
      callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal }, (answer) => read(answer, call));
    try {
      return { outcome: await retryRead(ask, { ...once, signal }) };
    } catch (error) {
      if (isRefusalToWork(error)) return { refusal: error };
      if (error instanceof RpcError) return { outcome: error };
      if (isUnreadable(error) && !(error instanceof UnreadableAnswer)) return { outcome: error };
      throw error;
    }
  };
  let takesBatches = true;
  const width = new BatchWidth(batchSize);
  /** One for each call; undefined for the whole batch if its answer, or the batch, is too large or too slow. */
  const together = async <C extends RpcCall, T>(
    calls: readonly C[],
    read: ReadResult<C, T>,
    signal: AbortSignal,
  ): Promise<readonly Settled<T>[] | undefined> => {
    const ask = () => readBatch(endpoint, calls, read, signal);
    try {
      const answers = await retryRead(ask, { ...once, signal });
      if (answers === undefined) takesBatches = false;
      return answers ?? calls.map(() => undefined);
    } catch (error) {
      if (isRefusalToWork(error)) return calls.map(() => ({ refusal: error }));
      const isClosed = error instanceof NodeError && closedTexts.test(error.details ?? "");
      if (!isUnreadable(error) && !isClosed) throw error;
      return undefined;
    }
  };
  return async <C extends RpcCall, T>(
    calls: readonly C[],
    read: ReadResult<C, T>,
    signal: AbortSignal,
  ): Promise<readonly Outcome<T>[]> => {
    const outcomes: Outcome<T>[] = [];
    const refusals = calls.map(() => 0);
    let patience = new Patience({ forMs: patienceMs, ...pauses.read });
    /** Sends calls together; returns those that the node refused to serve, with its refusals, or undefined if they are too many. */
    const send = async (some: readonly number[]): Promise<ReadonlyMap<number, NodeError> | undefined> => {
      const part = some.flatMap((index) => calls[index] ?? []);
      const batch = part.length > 1 ? await together(part, read, signal) : [];
      if (batch === undefined) return undefined;
      const refused = new Map<number, NodeError>();
      for (const [at, call] of part.entries()) {
        const index = some[at] ?? 0;
        // Open calls of a batch are sent alone: nodes limit the size of a batch's answer and report it in its calls.
        const settled = batch[at] ?? (await alone(call, read, signal));
        if (settled === undefined) continue;
        if ("outcome" in settled) outcomes[index] = settled.outcome;
        else refused.set(index, settled.refusal);
      }
      return refused;
    };
    const settle = async (indexes: readonly number[]): Promise<void> => {
      let open = indexes;
      let most: number = batchSize;
      let refusedInRow = 0;
      while (open.length > 0) {
        const some = open.slice(0, takesBatches ? Math.min(width.value, most) : 1);
        const refused = await send(some);
        if (refused?.size === 0 && some.length > 1) width.answered(some.length);
        else if (refused === undefined) width.tooMuch(some.length);
        refusedInRow = refused?.size === some.length ? refusedInRow + 1 : 0;
        if (refused === undefined || refusedInRow > 1) most = Math.ceil(some.length / 2);
        if (refused !== undefined && refused.size > 0 && refusedInRow !== 1) width.refused(some.length);
        if (refused === undefined) continue;
        const again: number[] = [];
        for (const [index, refusal] of refused) {
          const tries = calls[index]?.tries;
          refusals[index] = (refusals[index] ?? 0) + 1;
          if (tries !== undefined && refusals[index] >= tries && mayBeOfSize(refusal)) outcomes[index] = refusal;
          else again.push(index);
        }
        // Those that wait come first: one call that is always refused does not hold up the others.
        open = [...open.slice(some.length), ...again];
        const [refusal] = refused.values();
        if (refusal === undefined || refused.size < some.length) {
          patience = new Patience({ forMs: patienceMs, ...pauses.read });
        } else if (!(await patience.pause(signal, refusal.retryAfterMs)) && some.length === 1) {
          if (!(refusal instanceof RpcError)) throw refusal;
          for (const index of open) outcomes[index] = refusal;
          return;
        }
      }
    };
    let next = 0;
    let isOver = false;
    const work = async (): Promise<void> => {
      while (next < calls.length && !isOver) {
        const from = next;
        next = Math.min(calls.length, from + (takesBatches ? width.value : 1));
        try {
          await settle(Array.from({ length: next - from }, (_, index) => from + index));
        } catch (error) {
          isOver = true;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, work));
    return outcomes;
  };
}

/** The results of calls, none of them refused. @throws the first NodeError among them. */
export function allGiven<T>(outcomes: readonly Outcome<T>[]): readonly T[] {
  return outcomes.map((outcome) => {
    if (outcome instanceof NodeError) throw outcome;
    return outcome;
  });
}

/** Outcomes by index; an unreadable result is left open. Undefined if the endpoint does not support batches. */
async function readBatch<C extends RpcCall, T>(
  endpoint: HttpEndpoint,
  calls: readonly C[],
  read: ReadResult<C, T>,
  signal: AbortSignal,
): Promise<readonly Settled<T>[] | undefined> {
  try {
    const answers = await callTogether(endpoint, calls, { timeoutMs, maxBytes, signal });
    return calls.map((call, index) => {
      const answer = answers[index];
      if (answer instanceof RpcError) return settleRefusal(answer);
      return answer && settleAnswer(answer, call, read);
    });
  } catch (error) {
    if (!isRefused(error) || error.isTransient || isBehind(error)) throw error;
    return undefined;
  }
}

/** geth and minievm fill the calls that no longer fit into a batch's answer with -32003, "response too large". */
function settleRefusal(refusal: RpcError): Settled<never> {
  const isOfSize = refusal.rpcCode === -32003 || /batch|response too large/i.test(refusal.details ?? "");
  if (isOfSize || isBehind(refusal)) return undefined;
  return isRefusalToWork(refusal) ? { refusal } : { outcome: refusal };
}

function settleAnswer<C extends RpcCall, T>(answer: Answer, call: C, read: ReadResult<C, T>): Settled<T> {
  try {
    return { outcome: read(answer, call) };
  } catch (error) {
    if (error instanceof UnreadableAnswer) return undefined;
    throw error;
  }
}

/** Answered full batches in a row before the width doubles. */
const batchesBeforeWidening = 8;

/** Number of calls in a batch: fewer after an answer that was too large or too slow, more again after a while. */
export class BatchWidth {
  readonly #widest: number;
  #value: number;
  #answered = 0;

  constructor(widest: number) {
    this.#widest = widest;
    this.#value = widest;
  }

  get value(): number {
    return this.#value;
  }

  /** A batch of this many calls was answered. */
  answered(calls: number): void {
    if (calls < this.#value) return;
    this.#answered += 1;
    if (this.#answered < batchesBeforeWidening) return;
    this.#answered = 0;
    this.#value = Math.min(this.#widest, this.#value * 2);
  }

  /** The node refused to serve some of this many calls, or all of them. */
  refused(calls: number): void {
    this.#answered = 0;
    this.#value = Math.min(this.#value, Math.max(1, Math.floor(calls / 2)));
  }

  /**
   * The answer to this many calls could not be read. A batch narrower than allowed proves nothing: a few calls can have
   * large answers. Two stay one batch, so that wider ones are tried again.
   */
  tooMuch(calls: number): void {
    this.#answered = 0;
    if (calls >= this.#value) this.#value = Math.max(2, Math.floor(this.#value / 2));
  }
}
