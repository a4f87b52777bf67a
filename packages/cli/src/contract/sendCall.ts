import { callContract, checkCall, type OtherCall, type ScoreContract } from "@vipscore/core";
import { group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { writeUnsigned, type UnsignedFlags } from "../unsigned/writeUnsigned.ts";

/** A call that changes permissions, and how to report it. */
export interface ReportedCall {
  readonly call: OtherCall;
  /** The result of the call, for people: `added 0x…`. */
  readonly done: string;
  /** Fields of `--json` in addition to the transaction. */
  readonly report: object;
}

/**
 * Sends one call, or writes it to the file of `--unsigned`, and reports it. First refuses a call that the contract would refuse for a fee.
 *
 * @throws CheckError `PERMISSION_DENIED`, `NOT_SUPPORTED`; InputError `FILE_UNWRITABLE`; DeviceError; ExecutionError;
 * BroadcastError; NodeError.
 */
export async function sendCall(
  context: Context,
  contract: ScoreContract,
  { call, done, report }: ReportedCall,
  { unsigned: file }: UnsignedFlags,
): Promise<void> {
  const { io, output } = context;
  const { signal } = io;
  await checkCall(contract, call, { signal });
  if (file !== undefined) {
    const unsigned = await writeUnsigned(context, contract, call, file);
    output.json({ ...report, transaction: null, unsigned });
    return;
  }
  const { hash, height, gasUsed } = await callContract(contract, call, { signal });
  output.print(`${output.paint("green", "done")}  ${done}   (block ${group(height)}, transaction ${hash})`);
  output.json({ ...report, transaction: { hash, height, gasUsed } });
}

/** Reports that there is nothing to send. */
export function reportNothingToDo({ output }: Context, why: string, report: object): void {
  output.print(`nothing to do: ${why}`);
  output.json({ ...report, transaction: null });
}
