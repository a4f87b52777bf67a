import { NodeError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import { isCallFailure } from "@vipscore/core/wire";
import type { HexAddress } from "../nftChain.ts";
import type { EvmRpc, Outcome } from "./evmRpc.ts";
import { lowerHex, quantity } from "./rpcValues.ts";

/** A call of a contract that changes nothing. */
export interface View {
  readonly to: HexAddress;
  readonly data: string;
  /** Read the state after this block. */
  readonly height: number;
  /** What the contract may spend; a bound on the node's work and on the answer. minievm has a bound of its own instead. */
  readonly gas: number;
}

/**
 * What `decode` makes of the contracts' answers, which are hex, in the views' order. In place of an answer stands the refusal
 * where a contract failed the call, or why its answer could not be read: it is too large or too slow.
 *
 * The reader throws NodeError where the node cannot serve calls; the signal's reason when aborted.
 */
export type ViewReader = <T, V extends View>(
  views: readonly V[],
  decode: (answer: HexAddress, view: V) => T,
  signal: AbortSignal,
) => Promise<readonly Outcome<T>[]>;

/** The identity precompile answers every call on every EVM, so what it cannot be asked is the node's fault. */
const identity: HexAddress = `0x${"4".padStart(40, "0")}`;

/** How often a call is asked again whose refusal nobody understands: a node that fails once may do better. */
const repetitions = 3;

/** The pause before the second repetition, in milliseconds; before the third it is twice as long. */
const pauseMs = 300;

/**
 * A reader of views. A node that says why a call failed says so in words of its own; where they are not known and stay, the
 * same question to a contract that cannot fail tells whose fault it was. State that the node no longer has (it keeps the
 * newest only, as many do) is read at its newest block instead, for that block and all older ones.
 */
export function viewReader(rpc: EvmRpc): ViewReader {
  /** Newest block whose state the node turned out not to have. */
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
  /** Asked twice, and the newest in between: one failure is not enough to give all older state up. */
  const isForgotten = async (height: number, signal: AbortSignal): Promise<boolean> => {
    const tag = quantity(height);
    return !(await works(tag, signal)) && (await works("latest", signal)) && !(await works(tag, signal));
  };

  /** Each answer is decoded as it comes: it can be a megabyte of which a digest is kept. */
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
    const findUnclear = () => views.flatMap((view, at) => (isUnclear(answers[at]) ? [{ view, at }] : []));
    let unclear = findUnclear();
    for (let repetition = 0; unclear.length > 0 && repetition < repetitions; repetition += 1) {
      if (repetition > 0) await pause(pauseMs * repetition, signal);
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
      unclear = findUnclear();
    }
    const refused = unclear.map(({ at }) => answers[at]).find((answer) => isUnclear(answer));
    if (refused !== undefined && !(await works("latest", signal))) throw refused;
    return answers;
  };
}

function isUnclear(answer: unknown): answer is NodeError {
  return answer instanceof NodeError && !isCallFailure(answer);
}
