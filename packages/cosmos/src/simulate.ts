import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import {
  formatBech32,
  NodeError,
  type Account,
  type ReadOptions,
  type SimulateOptions,
  type Simulation,
} from "@vipscore/core";
import type { Answer, RestClient } from "@vipscore/core/wire";
import type { CosmosMessage } from "./cosmosAccount.ts";
import { expectedSequence, type ParseFailure } from "./refusals.ts";
import { encodeParts, encodeSigned } from "./transactionBytes.ts";
import { findAccountState } from "./transactionSigner.ts";

/**
 * Returns the gas that a transaction would use, as simulated by the node: its sequence counts, its signature does not.
 *
 * @param txBytes - In base64.
 * @throws RestError with the reason if it would fail; NodeError.
 */
export function simulateGas(rest: RestClient, txBytes: string, options: ReadOptions): Promise<bigint> {
  const read = (answer: Answer): bigint => answer.field("gas_info").field("gas_used").u64();
  return rest.query("/cosmos/tx/v1beta1/simulate", { tx_bytes: txBytes }, read, options);
}

/**
 * The answer of a node if a message fails in a simulation (recorded on minimove and miniwasm): the text of the transaction's failure,
 * a line of Go, and the gas. Any other answer is the chain's own, such as for another sequence.
 */
const failure = /(failed to execute message; .*?)(?: \[\S+\.go:\d+\])? with gas used: '\d+'/s;

/** Runs a message on the newest state; see `simulate` of the port. Without a key the node counts the gas of one. */
export async function simulate(
  rest: RestClient,
  message: CosmosMessage,
  { from, sequence: known, signal }: SimulateOptions & { readonly from: Account },
  parseFailure: ParseFailure,
): Promise<Simulation> {
  try {
    const sequence = known ?? (await findAccountState(rest, formatBech32(from), { signal }))?.sequence ?? 0n;
    const signature = { publicKey: undefined, mode: SignMode.SIGN_MODE_DIRECT };
    const parts = encodeParts({ message, sequence, gas: 0n, fee: undefined }, signature);
    const bytes = encodeSigned(parts, new Uint8Array());
    await simulateGas(rest, Buffer.from(bytes).toString("base64"), { signal });
    return { state: "accepted" };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { details = "" } = error;
    const log = failure.exec(details)?.[1];
    if (log === undefined && expectedSequence(details) !== undefined) return { state: "unknown", isBehind: true };
    if (log === undefined || /out of gas/i.test(log)) return { state: "unknown" };
    const reason = parseFailure({ log });
    return /out of gas/i.test(reason.details) ? { state: "unknown" } : { state: "refused", ...reason };
  }
}
