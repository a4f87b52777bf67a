import { InputError } from "@vipscore/core";
import { listStages } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { readL1Stage } from "../../l1/l1Stage.ts";
import { findL1Settings, type L1CommandFlags, type L1Settings } from "../../settings/l1Settings.ts";
import { headLines, stageJson, tableLines } from "./report.ts";

/** Number of stages listed after L1's active one. */
const laterStages = 3;

/** Shows the stages of L1: `stage`. */
export async function showStage(context: Context, flags: L1CommandFlags): Promise<void> {
  const { output } = context;
  const current = await readL1Stage(context, requireL1(await findL1Settings(context.io, flags)));
  const stages = listStages(current, laterStages);
  output.print([...headLines(current), "", ...tableLines(stages, current)].join("\n"));
  output.json(stageJson(current, stages));
}

function requireL1(found: L1Settings | undefined): L1Settings {
  if (found !== undefined) return found;
  throw new InputError("no L1 endpoint to read the stage from", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set its REST endpoint with --l1-rest-url, L1_REST_URL or l1RestUrl in vipscore.config.json."],
  });
}
