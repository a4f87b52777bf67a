import { exitStatusOf, VipError } from "@vipscore/core";
import type { DemoOutput } from "./demoOutput.ts";

/** Exit status of a fault in vipscore itself. */
const faultStatus = 1;

/** Reports why the demo ended early, for people and with `--json` also on stdout, and returns its exit status. */
export function reportDemoError(output: DemoOutput, error: unknown, { debug }: { readonly debug: boolean }): number {
  if (debug) output.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { code, message, hints, exit } = describe(error);
  output.note([`${output.paint("red", message)}   [${code}, exit ${exit}]`, ...hints].join("\n"));
  output.json({ error: { code, message, hints, exit } });
  return exit;
}

function describe(error: unknown) {
  if (VipError.isVipError(error)) {
    const { code, shortMessage, metaMessages } = error;
    return { code, message: shortMessage, hints: metaMessages, exit: exitStatusOf(code) };
  }
  const message = error instanceof Error ? error.message : String(error);
  const hints = ["This is a fault of vipscore. Run again with --debug and report what it prints."];
  return { code: "INTERNAL", message, hints, exit: faultStatus };
}
