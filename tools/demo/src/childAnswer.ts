import type { ChildResult } from "./childCli.ts";
import { expectThat } from "./demoReport.ts";

/** Returns the object that a `vipscore … --json` printed; ends the demo when the command failed. */
export async function answerOf<T>(running: Promise<ChildResult>): Promise<T> {
  const { status, stdout } = await running;
  expectThat(status === 0, `a command ended with status ${status}`);
  return JSON.parse(stdout) as T;
}

/** What the demo reads of `push --json`. */
export interface PushAnswer {
  readonly transactions: readonly { readonly rows: number }[];
}

/** What the demo reads of `verify --json`; the total in decimal digits. */
export interface VerifyAnswer {
  readonly verification: { readonly sha256: { readonly chain: string }; readonly total: { readonly contract: string } };
}
