import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@vipscore/core";
import { programBeside, runChildJob } from "@vipscore/core/childJob";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import type { ContractCode } from "./contractCode.ts";
import type { ConformanceReport } from "./report.ts";
import type { ScenarioResult } from "./runConformance.ts";

/** A contract to test, and how. */
export interface ConformanceJob {
  readonly code: ContractCode;
  readonly seed: number;
  /** True if the chain is another's, whose clock does not jump. */
  readonly isForeign: boolean;
  readonly area?: "program" | undefined;
  /** The reason for each rule that is excepted. */
  readonly exceptions: ReadonlyMap<string, string>;
  /** Checks the sources too: at a path, or for Move in the code. */
  readonly sources?: string | true | undefined;
}

/** A message of the process that tests; it asks for a chain once the sources are checked. */
export type ConformanceReply = ScenarioResult | { readonly asksFor: "chain" };

export interface TestContractOptions {
  /** Returns the endpoint of the development chain to use; undefined for a Hardhat chain of the process. */
  readonly openChain: () => Promise<string | undefined>;
  readonly onResult: (result: ScenarioResult) => void;
  readonly signal: AbortSignal;
}

/**
 * Tests a contract in a process of its own: whatever it holds and prints, this process answers signals and keeps its memory.
 *
 * @throws InputError if the contract cannot be deployed, or the process ends by itself; NodeError; what `openChain` throws; the
 * signal's reason when aborted.
 */
export async function testContract(
  job: ConformanceJob,
  { openChain, onResult, signal }: TestContractOptions,
): Promise<ConformanceReport> {
  signal.throwIfAborted();
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-conformance-"));
  const child = spawn(process.execPath, programBeside(import.meta.url, "conformanceProcess"), {
    serialization: "advanced",
    // What a contract prints is not part of the command's output.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // A terminal's Ctrl-C is for this process, which ends the other.
    detached: true,
    env: { ...nodeEnvironment(process.env), TMPDIR: scratch },
  });
  const onReply = async (reply: ConformanceReply): Promise<void> => {
    if ("asksFor" in reply) child.send({ url: await openChain() });
    else onResult(reply);
  };
  try {
    const end = await runChildJob<ConformanceReply, ConformanceReport>(child, job, { onReply, signal });
    if (end.result !== undefined) return end.result;
    throw new InputError(`the process that tests the contract ended with ${end.by}`, {
      metaMessages: ["Its code, its interface or its sources may need too much memory."],
      details: end.lastWords,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
