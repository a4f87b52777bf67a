import type { Scenario } from "../scenario.ts";
import { batchScenarios } from "./batches.ts";
import { clientScenarios } from "./client.ts";
import { exactScenarios } from "./exactNumbers.ts";
import { checkedFinalizeScenarios, finalizeScenarios } from "./finalize.ts";
import { finalizerScenarios } from "./finalizer.ts";
import { idempotenceScenarios } from "./idempotence.ts";
import { memberScenarios } from "./members.ts";
import { ownerScenarios } from "./owner.ts";
import { programScenarios } from "./program.ts";
import { readingScenarios } from "./reading.ts";
import { revisionScenarios } from "./revision.ts";
import { scoreScenarios } from "./scores.ts";
import { stageScenarios } from "./stages.ts";
import { totalScenarios } from "./totals.ts";

/** Every scenario, in the order of the report. */
export const scenarios: readonly Scenario[] = [
  ...programScenarios,
  ...stageScenarios,
  ...finalizeScenarios,
  ...checkedFinalizeScenarios,
  ...revisionScenarios,
  ...finalizerScenarios,
  ...scoreScenarios,
  ...totalScenarios,
  ...batchScenarios,
  ...memberScenarios,
  ...ownerScenarios,
  ...readingScenarios,
  ...exactScenarios,
  ...clientScenarios,
  ...idempotenceScenarios,
];
