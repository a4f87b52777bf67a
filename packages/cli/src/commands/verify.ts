import type { Command } from "commander";
import { requireAgreement, verifyScores, type Stage } from "@vipscore/core";
import { stageOption, withConnectionOptions, withTableOptions } from "../commandOptions.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { agreementLine } from "../output/agreementLine.ts";
import { verificationJson } from "../output/verificationJson.ts";
import { readTable, tableName, type TableFlags } from "../readTable.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

interface VerifyFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
}

/** Adds `verify`. */
export function addVerify(program: Command, context: Context): void {
  withConnectionOptions(withTableOptions(program.command("verify <file>")))
    .description("compare every score and the total of a stage with a file, at one height")
    .addOption(stageOption())
    .addHelpText("after", "\nExample:\n  $ vipscore verify scores.csv --stage 12")
    .action((path: string, flags: VerifyFlags) => verifyFile(context, path, flags));
}

async function verifyFile(context: Context, path: string, flags: VerifyFlags): Promise<void> {
  const { io, output } = context;
  const file = tableName(path);
  const settings = await readSettings(context, flags);
  const table = await readTable(context, settings.vm, path, flags);
  const contract = await connect(context, settings, flags, "none");
  output.showTransient("reading the chain …");
  const verification = await verifyScores(contract, flags.stage, table, { signal: io.signal });
  requireAgreement(verification);
  output.print(agreementLine(output, verification, file));
  output.json({
    command: "verify",
    stage: flags.stage,
    contract: contract.identity,
    file: { name: file, rows: table.size, total: table.total, sha256: table.digest() },
    verification: verificationJson(verification),
  });
}
