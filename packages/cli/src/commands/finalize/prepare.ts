import type { ScoreContract, ScoreTable, Stage } from "@vipscore/core";
import type { StageManifest } from "@vipscore/core/manifest";
import { checkStageToFinalize, type VipStage } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { connectSecond } from "../../contract/connectSecond.ts";
import { openManifest, readTable, tableName, type TableFlags } from "../../files/readTable.ts";
import { findL1Stage } from "../../l1/l1Stage.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { readExpected } from "./readExpected.ts";

/** The flags of `finalize`. */
export interface FinalizeFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  readonly file?: string;
  /** Without a file. Default: shows the digest and finalizes nothing. */
  readonly expectDigest?: string;
  readonly yes?: boolean;
  readonly early?: boolean;
  readonly journal?: string;
  readonly manifest?: string;
}

/** A stage to finalize, and the scores that it must hold. */
export interface PreparedFinalize {
  readonly contract: ScoreContract;
  /** The contract through the second endpoint; undefined if none is set. */
  readonly second: ScoreContract | undefined;
  readonly stage: Stage;
  /** Undefined for scores that only their digest names. */
  readonly file: string | undefined;
  readonly table: ScoreTable;
  /** Undefined without `--manifest`. */
  readonly manifest: StageManifest | undefined;
  /** L1's stage; undefined if L1 is not known. */
  readonly l1: VipStage | undefined;
}

/**
 * Reads the file, or the stage if only the digest of its scores is expected, connects to the contract, and checks that L1 has
 * moved past the stage.
 *
 * @throws InputError; CheckError, `CONFIRMATION_MISSING` with neither file nor digest; DeviceError; NodeError.
 */
export async function prepareFinalizeFile(context: Context, flags: FinalizeFlags): Promise<PreparedFinalize> {
  const { stage } = flags;
  const file = flags.file === undefined ? undefined : tableName(flags.file);
  const manifest = await openManifest(context, flags.manifest, stage, { willRecord: true });
  const settings = await readSettings(context, flags);
  const listed = flags.file === undefined ? undefined : await readTable(context, settings.vm, flags.file, flags);
  const contract = await connect(context, settings, flags, "required");
  const table = listed ?? (await readExpected(context, contract, flags));
  manifest?.requireTable(table, file ?? `stage ${stage}`);
  manifest?.requireContract(contract.identity);
  const l1 = await checkL1(context, settings, flags);
  const second = await connectSecond(context, settings, contract);
  return { contract, second, stage, file, table, manifest, l1 };
}

/** Checks that L1 has moved past the stage, if L1 is known. */
async function checkL1(
  context: Context,
  settings: Settings,
  { stage, early = false }: FinalizeFlags,
): Promise<VipStage | undefined> {
  const { output } = context;
  const l1 = await findL1Stage(context, settings);
  if (l1 !== undefined) {
    for (const warning of checkStageToFinalize(l1, stage, { early })) output.warn(warning);
  } else if (settings.localNode === undefined) {
    output.warn(`not checked whether L1 has moved past stage ${stage}: set --l1-rest-url or L1_REST_URL`);
  }
  return l1;
}
