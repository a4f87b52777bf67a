import type { Command } from "commander";
import { requireAgreement, requireSameStage, verifyScores, type Stage } from "@vipscore/core";
import type { Context } from "../context.ts";
import { connect, connectSecond } from "../contract/connect.ts";
import { readTable, tableJson, tableName, type TableFlags } from "../contract/readTable.ts";
import { stageOption, withConnectionOptions, withSecondEndpoint, withTableOptions } from "../options.ts";
import { finalityWarning } from "../output/contractText.ts";
import { agreementLine, verificationJson } from "../output/verification.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

interface VerifyFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
}

export function addVerify(command: Command, context: Context): void {
  withSecondEndpoint(withConnectionOptions(withTableOptions(command)))
    .argument("<file>")
    .addOption(stageOption())
    .addHelpText("after", "\nExample:\n  $ vipscore verify scores.csv --stage 12")
    .action((path: string, flags: VerifyFlags) => verifyFile(context, path, flags));
}

async function verifyFile(context: Context, path: string, flags: VerifyFlags): Promise<void> {
  const { io, output } = context;
  const { stage } = flags;
  const file = tableName(path);
  const settings = await readSettings(context, flags);
  const table = await readTable(context, settings.vm, path, flags);
  const contract = await connect(context, settings, flags, "none");
  output.showTransient("reading the chain …");
  const verification = await verifyScores(contract, stage, table, { signal: io.signal });
  if (verification.isFinalized) {
    const control = await contract.getControl({ height: verification.height, signal: io.signal });
    const warning = finalityWarning(contract.identity, control);
    if (warning !== undefined) output.warn(warning);
  }
  requireAgreement(verification);
  const second = await connectSecond(context, settings, contract);
  if (second !== undefined) await requireSameStage(second, verification, table, { signal: io.signal });
  output.print(agreementLine(output, verification, file));
  output.json({
    command: "verify",
    stage,
    contract: contract.identity,
    file: tableJson(file, table),
    verification: verificationJson(verification),
    comparedWithSecond: second !== undefined,
  });
}
