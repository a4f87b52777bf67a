import { callContract, checkCall, type OtherCall, type ScoreContract } from "@vipscore/core";
import type { Context } from "./context.ts";
import { group } from "./output/numbers.ts";

/** A call that changes permissions, and how to report it. */
export interface ReportedCall {
  readonly call: OtherCall;
  /** The result of the call, for people: `added 0x…`. */
  readonly done: string;
  /** Fields of `--json` in addition to the transaction. */
  readonly report: object;
}

/**
 * Sends one call and reports it. First refuses a call that the contract would refuse for a fee.
 *
 * @throws CheckError `PERMISSION_DENIED`, `NOT_SUPPORTED`; ExecutionError; BroadcastError; NodeError.
 */
export async function sendCall(
  { io, output }: Context,
  contract: ScoreContract,
  { call, done, report }: ReportedCall,
): Promise<void> {
  const { signal } = io;
  await checkCall(contract, call, { signal });
  const { hash, height, gasUsed } = await callContract(contract, call, { signal });
  output.print(`${output.paint("green", "done")}  ${done}   (block ${group(height)}, transaction ${hash})`);
  output.json({ ...report, transaction: { hash, height, gasUsed } });
}

/** Reports that there is nothing to send. */
export function reportNothingToDo({ output }: Context, why: string, report: object): void {
  output.print(`nothing to do: ${why}`);
  output.json({ ...report, transaction: null });
}
