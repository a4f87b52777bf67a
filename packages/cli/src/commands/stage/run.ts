import { InputError } from "@vipscore/core";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { listStages } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { readL1Stage } from "../../l1/l1Stage.ts";
import { readConfigFile } from "../../settings/configFile.ts";
import { readL1Settings, type L1Flags, type L1Settings } from "../../settings/l1Settings.ts";
import { headLines, stageJson, tableLines } from "./report.ts";

/** The flags of `stage`. */
export interface StageFlags extends L1Flags {
  readonly config?: string;
}

/** Number of stages listed after L1's active one. */
const laterStages = 3;

/** Shows the stages of L1: `stage`. */
export async function showStage(context: Context, flags: StageFlags): Promise<void> {
  const { output } = context;
  const current = await readL1Stage(context, await findL1(context, flags));
  const stages = listStages(current, laterStages);
  output.print([...headLines(current), "", ...tableLines(stages, current)].join("\n"));
  output.json(stageJson(current, stages));
}

async function findL1({ io }: Context, flags: StageFlags): Promise<L1Settings> {
  const config = await readConfigFile(io, flags.config);
  const found = readL1Settings(io, flags, config, await readNodeFile(io.cwd));
  if (found !== undefined) return found;
  throw new InputError("no L1 endpoint to read the stage from", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set its REST endpoint with --l1-rest-url, L1_REST_URL or l1RestUrl in vipscore.config.json."],
  });
}
