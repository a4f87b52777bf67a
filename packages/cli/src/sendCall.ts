import { callContract, checkCall, type OtherCall, type ScoreContract } from "@vipscore/core";
import type { Context } from "./context.ts";
import { group } from "./output/numbers.ts";

/** A call that changes who may do what, with what is reported of it. */
export interface ReportedCall {
  readonly call: OtherCall;
  /** What the call has led to, for people: `added  0x…`. */
  readonly done: string;
  /** What `--json` says beside the transaction. */
  readonly report: object;
}

/**
 * Sends one call and reports it, after refusing what the contract would refuse for a fee.
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

/** Reports that nothing has to be sent. */
export function tellNothingToDo({ output }: Context, why: string, report: object): void {
  output.print(`nothing to do: ${why}`);
  output.json({ ...report, transaction: null });
}
