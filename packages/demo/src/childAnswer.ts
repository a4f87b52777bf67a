import type { ChildResult } from "./childCli.ts";
import { expectThat } from "./demoReport.ts";

/** Returns the object printed by `vipscore … --json`; ends the demo if the command failed. */
export async function answerOf<T>(running: Promise<ChildResult>): Promise<T> {
  const { status, stdout } = await running;
  expectThat(status === 0, `a command ended with status ${status}`);
  return JSON.parse(stdout) as T;
}

/** The fields of `push --json` that the demo reads. */
export interface PushAnswer {
  readonly transactions: readonly { readonly rows: number }[];
}

/** The fields of `verify --json` that the demo reads; the total in decimal digits. */
export interface VerifyAnswer {
  readonly verification: { readonly sha256: { readonly chain: string }; readonly total: { readonly contract: string } };
}
