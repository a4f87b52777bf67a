import { resolve } from "node:path";
import type { Command } from "commander";
import { formatChecksummed, formatScores, readStageTable, writeNewFile, type Stage } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { openContract } from "../contract/connect.ts";
import { stageOption, withConnectionOptions } from "../options.ts";
import type { ConnectionFlags } from "../settings/readSettings.ts";

interface ExportFlags extends ConnectionFlags {
  readonly stage: Stage;
  readonly out?: string;
}

export function addExport(command: Command, context: Context): void {
  withConnectionOptions(command)
    .addOption(stageOption())
    .option("--out <file>", "write to a new file instead of stdout")
    .addHelpText("after", "\nExample:\n  $ vipscore export --stage 12 --out stage12.csv")
    .action((flags: ExportFlags) => exportStage(context, flags));
}

async function exportStage(context: Context, flags: ExportFlags): Promise<void> {
  const { io, output } = context;
  const { stage } = flags;
  const out = flags.out === "-" ? undefined : flags.out;
  const contract = await openContract(context, flags, "none");
  const { info, height, table } = await readStageTable(contract, stage, { signal: io.signal });
  const sha256 = table.digest();
  const pieces = formatScores([table]);
  if (out !== undefined) await writeNewFile(resolve(io.cwd, out), out, pieces);
  else if (!output.isJson) for await (const piece of pieces) output.raw(piece);
  const where = out === undefined ? "" : ` to ${out}`;
  output.note(
    `exported ${count(table.size, "row")} of stage ${stage}${where}, total ${group(table.total)}, height ${group(height)}, sha256 ${sha256}`,
  );
  output.json({
    command: "export",
    stage,
    contract: contract.identity,
    height,
    isFinalized: info.isFinalized,
    accounts: table.size,
    total: table.total,
    sha256,
    file: out,
    ...(out === undefined
      ? { scores: Array.from(table, ({ account, score }) => ({ address: formatChecksummed(account), score })) }
      : {}),
  });
}
