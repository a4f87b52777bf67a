import { NodeError } from "@vipscore/core";
import { isCallFailure } from "@vipscore/core/wire";
import type { HexAddress } from "../hexAddress.ts";
import type { Outcome } from "./batchReader.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { lowerHex, quantity } from "./rpcValues.ts";

/** A read-only contract call. */
export interface View {
  readonly to: HexAddress;
  readonly data: string;
  /** Read the state after this block. */
  readonly height: number;
  /** Gas limit, which bounds the node's work and the answer. minievm uses its own limit instead. */
  readonly gas: number;
}

/**
 * Returns the contracts' hex answers after `decode`, in the views' order. If a contract failed the call, or its answer
 * is too large or too slow, that error replaces the answer, and so does a refusal of the node: {@link isCallFailure} shows
 * which. Nothing about the contract may be concluded from a refusal.
 *
 * The reader throws NodeError if the node cannot serve calls; the signal's reason when aborted.
 */
export type ViewReader = <T, V extends View>(
  views: readonly V[],
  decode: (answer: HexAddress, view: V) => T,
  signal: AbortSignal,
) => Promise<readonly Outcome<T>[]>;

/** The identity precompile answers every call on every EVM, so a failure is the node's. */
const identity: HexAddress = `0x${"4".padStart(40, "0")}`;

/**
 * Creates a reader of views. If the node has pruned a block's state, as many do, that block and all older ones are read at
 * its newest block instead. A contract that cannot fail shows whether the node serves calls in a block at all.
 */
export function viewReader(rpc: EvmRpc): ViewReader {
  /** Newest block whose state the node was found to lack. */
  let forgotten = -1;
  const callOf = <V extends View>(view: V) => {
    const { to, data, gas, height } = view;
    const tag = height <= forgotten ? "latest" : quantity(height);
    return { method: "eth_call", params: [{ to, data, gas: quantity(gas) }, tag], view };
  };
  const works = async (tag: string, signal: AbortSignal): Promise<boolean> => {
    const call = { method: "eth_call", params: [{ to: identity, data: "0x", gas: quantity(100_000) }, tag] };
    const [answer] = await rpc.readAll([call], () => true, signal);
    return answer === true;
  };
  /** Requested twice, with the newest in between: one failure is not enough to give up on all older state. */
  const isForgotten = async (height: number, signal: AbortSignal): Promise<boolean> => {
    const tag = quantity(height);
    return !(await works(tag, signal)) && (await works("latest", signal)) && !(await works(tag, signal));
  };

  /** Each answer is decoded as it arrives: it can be a megabyte, stored as a digest. */
  const ask = <T, V extends View>(
    views: readonly V[],
    decode: (answer: HexAddress, view: V) => T,
    signal: AbortSignal,
  ): Promise<readonly Outcome<T>[]> =>
    rpc.readAll(
      views.map((view) => callOf(view)),
      (answer, { view }) => decode(lowerHex(answer), view),
      signal,
    );

  return async (views, decode, signal) => {
    const answers = [...(await ask(views, decode, signal))];
    const unclear = views.flatMap((view, at) => (isUnclear(answers[at]) ? [{ view, at }] : []));
    if (unclear.length === 0) return answers;
    const heights = new Set(unclear.map(({ view }) => view.height));
    for (const height of [...heights].sort((a, b) => b - a)) {
      if (height > forgotten && (await isForgotten(height, signal))) forgotten = height;
    }
    const again = await ask(
      unclear.map(({ view }) => view),
      decode,
      signal,
    );
    for (const [index, { at }] of unclear.entries()) {
      const answer = again[index];
      if (answer !== undefined) answers[at] = answer;
    }
    const refused = unclear.map(({ at }) => answers[at]).find((answer) => isUnclear(answer));
    if (refused !== undefined && !(await works("latest", signal))) throw refused;
    return answers;
  };
}

function isUnclear(answer: unknown): answer is NodeError {
  return answer instanceof NodeError && !isCallFailure(answer);
}
