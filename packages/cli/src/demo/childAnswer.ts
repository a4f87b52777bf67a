import type { ChildResult } from "./childCli.ts";
import { expectThat } from "./demoReport.ts";

/** The object that a `vipscore … --json` printed; ends the demo when the command failed. */
export async function answerOf(running: Promise<ChildResult>): Promise<unknown> {
  const { status, stdout } = await running;
  expectThat(status === 0, `a command ended with status ${status}`);
  return JSON.parse(stdout);
}
