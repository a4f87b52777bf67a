import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  namedConfigHelp,
  namedConfigOnly,
  withPolicyOptions,
  withSecondEndpoint,
} from "../../options/commandOptions.ts";
import type { AuditFlags } from "./run.ts";

/** Adds `audit`. */
export function addAudit(command: Command, context: Context): void {
  withSecondEndpoint(withPolicyOptions(command))
    .argument("<manifest>")
    .requiredOption("--policy <folder>", "the policy's folder, as its operator published it")
    .option(
      "--blocks <folder...>",
      "the operator's folders of digests, one for each source: name the first block that differs",
    )
    .option(
      "--scores <file>",
      "compare these scores, computed elsewhere, instead of running the query: see `score data`",
    )
    .option("--run-anyway", "also run a policy that is not the manifest's: its query may be anyone's")
    .addHelpText(
      "after",
      `${namedConfigHelp}\nReads everything from the rollup again, and needs no key. Goes on after a difference, so that one run shows all; only another policy's query is not run.\n\nExample:\n  $ vipscore audit scores12.manifest.json --policy policies/season1 --endpoint https://rpc.example.org`,
    )
    .action(async (file: string, flags: AuditFlags) =>
      (await import("./run.ts")).auditManifest(context, file, namedConfigOnly(flags)),
    );
}
