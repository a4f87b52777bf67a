import { exitStatusOf, VipError } from "@vipscore/core";
import type { DemoOutput } from "./demoOutput.ts";

/** Exit status for a bug in vipscore. */
const faultStatus = 1;

/** Reports on stderr, and with `--json` also on stdout, why the demo ended early; returns its exit status. */
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
  const hints = ["This is a bug in vipscore. Run again with --debug and report what it prints."];
  return { code: "INTERNAL", message, hints, exit: faultStatus };
}
