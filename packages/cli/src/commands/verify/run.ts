import { requireAgreement, requireSameStage, verifyScores, type Stage } from "@vipscore/core";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { connectSecond } from "../../contract/connectSecond.ts";
import { readTable, tableName, type TableFlags } from "../../files/readTable.ts";
import { verificationJson } from "../../output/verificationJson.ts";
import { agreementLine } from "../../output/verificationText.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";

/** The flags of `verify`. */
export interface VerifyFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
}

/** Compares a stage with a file: `verify`. */
export async function verifyFile(context: Context, path: string, flags: VerifyFlags): Promise<void> {
  const { io, output } = context;
  const file = tableName(path);
  const settings = await readSettings(context, flags);
  const table = await readTable(context, settings.vm, path, flags);
  const contract = await connect(context, settings, flags, "none");
  output.showTransient("reading the chain …");
  const verification = await verifyScores(contract, flags.stage, table, { signal: io.signal });
  requireAgreement(verification);
  const second = await connectSecond(context, settings, contract);
  if (second !== undefined) await requireSameStage(second, verification, table, { signal: io.signal });
  output.print(agreementLine(output, verification, file));
  output.json({
    command: "verify",
    stage: flags.stage,
    contract: contract.identity,
    file: { name: file, rows: table.size, total: table.total, sha256: table.digest() },
    verification: verificationJson(verification),
    comparedWithSecond: second !== undefined,
  });
}
