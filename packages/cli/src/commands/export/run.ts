import { resolve } from "node:path";
import {
  formatBech32,
  formatChecksummed,
  formatScores,
  readStageTable,
  writeNewFile,
  type Stage,
} from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";

/** The flags of `export`. */
export interface ExportFlags extends ConnectionFlags {
  readonly stage: Stage;
  readonly out?: string;
  readonly addressForm: "hex" | "bech32";
}

/** Writes all scores of a stage: `export`. */
export async function exportStage(context: Context, flags: ExportFlags): Promise<void> {
  const { io, output } = context;
  const { stage, addressForm } = flags;
  const contract = await connect(context, await readSettings(context, flags), flags, "none");
  const { info, height, table } = await readStageTable(contract, stage, { signal: io.signal });
  const sha256 = table.digest();
  const pieces = formatScores([table], { accounts: addressForm });
  if (flags.out !== undefined) await writeNewFile(resolve(io.cwd, flags.out), flags.out, pieces);
  else if (!output.isJson) for await (const piece of pieces) output.raw(piece);
  const where = flags.out === undefined ? "" : ` to ${flags.out}`;
  output.note(
    `exported ${count(table.size, "row")} of stage ${stage}${where}, total ${group(table.total)}, height ${group(height)}, sha256 ${sha256}`,
  );
  const spell = addressForm === "hex" ? formatChecksummed : formatBech32;
  const rows = Array.from(table, ({ account, score }) => ({ address: spell(account), score }));
  output.json({
    command: "export",
    stage,
    contract: contract.identity,
    height,
    isFinalized: info.isFinalized,
    accounts: table.size,
    total: table.total,
    sha256,
    file: flags.out ?? null,
    ...(flags.out === undefined ? { scores: rows } : {}),
  });
}
