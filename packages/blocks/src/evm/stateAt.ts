import { NodeError } from "@vipscore/core";
import { isCallFailure, type Answer } from "@vipscore/core/wire";
import { zeroAddress, type HexAddress } from "../hexAddress.ts";
import { PrunedState } from "../readErrors.ts";
import { allGiven, type Outcome, type RpcCall } from "./batchReader.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { lowerHex, quantity } from "./rpcValues.ts";

/** A read-only call of a contract. */
export interface ContractCall {
  readonly to: HexAddress;
  readonly data: string;
}

/** Gas of a call: the same on every node, whose own limits differ. */
const gas = quantity(10_000_000);

/** Creation code that returns the height of the block in which it runs: NUMBER, MSTORE at 0, RETURN 32 bytes. */
const ownHeight = "0x4360005260206000f3";

/**
 * Calls contracts in the state after a block, and no other. Results are in the order of the calls; if a contract failed a call,
 * that error replaces its result.
 *
 * The node has to prove that it runs calls in that block: minievm v1.2 silently runs every call in its newest one.
 *
 * @throws PrunedState if the node does not have the state anymore; NodeError, `NODE_ERROR` if it runs calls in another
 * block; the signal's reason when aborted.
 */
export async function readCallsAt(
  rpc: EvmRpc,
  calls: readonly ContractCall[],
  height: number,
  signal: AbortSignal,
): Promise<readonly Outcome<HexAddress>[]> {
  const callOf = (call: object) => ({
    method: "eth_call",
    params: [{ from: zeroAddress, gas, ...call }, quantity(height)],
  });
  // In one batch with the calls, so that the same node answers it.
  const proof = callOf({ data: ownHeight });
  const read = (answer: Answer): HexAddress => lowerHex(answer);
  const [shown, ...answers] = await rpc.readAll([proof, ...calls.map(callOf)], read, signal);
  if (shown instanceof NodeError) throw await stateFault(rpc, { call: proof, height, refusal: shown }, signal);
  if (shown === undefined || shown.length !== 66 || BigInt(shown) !== BigInt(height)) {
    throw new NodeError(`${rpc.endpoint} does not run calls in block ${height}, but in another`, {
      code: "NODE_ERROR",
      details: `asked for its height in block ${height}, it returned ${shown}`,
      metaMessages: ["Use a node that answers eth_call for past blocks; minievm v1.2 does not."],
    });
  }
  const refusal = answers.find((answer) => answer instanceof NodeError && !isCallFailure(answer));
  if (refusal instanceof NodeError) throw refusal;
  return answers;
}

/**
 * Reads the native balances of accounts after a block, in their order.
 *
 * @throws PrunedState if the node does not have the state anymore; NodeError; the signal's reason when aborted.
 */
export async function readBalancesAt(
  rpc: EvmRpc,
  accounts: readonly HexAddress[],
  height: number,
  signal: AbortSignal,
): Promise<readonly bigint[]> {
  const calls = accounts.map((account) => ({ method: "eth_getBalance", params: [account, quantity(height)] }));
  const answers = await rpc.readAll(calls, (answer) => answer.quantity(), signal);
  const refused = answers.findIndex((answer) => answer instanceof NodeError);
  const [call, refusal] = [calls[refused], answers[refused]];
  if (call !== undefined && refusal instanceof NodeError)
    throw await stateFault(rpc, { call, height, refusal }, signal);
  return allGiven(answers);
}

/** A node has pruned the state if it refuses at a height, twice, what it serves at its newest block. */
async function stateFault(
  rpc: EvmRpc,
  { call, height, refusal }: { readonly call: RpcCall; readonly height: number; readonly refusal: NodeError },
  signal: AbortSignal,
): Promise<NodeError> {
  const works = async (tag: string): Promise<boolean> => {
    const params = [...call.params.slice(0, -1), tag];
    const [answer] = await rpc.readAll([{ method: call.method, params }], () => true, signal);
    return answer === true;
  };
  const isPruned = (await works("latest")) && !(await works(quantity(height)));
  return isPruned ? new PrunedState(rpc.endpoint, height, refusal) : refusal;
}
