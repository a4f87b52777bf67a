/** The contracts that the statements are proven for. */
export const contracts: readonly {
  readonly name: string;
  /** File of the artifact below `artifacts`. Default: as forge compiles it. */
  readonly artifact?: string;
  /** Whether a checked finalize may fail for another reason of the contract. */
  readonly mayRefuse?: boolean;
  /** The statements of every run. Default: all that are not slow. */
  readonly daily?: readonly string[];
  /** The statements of a run with `--all`. Default: all. */
  readonly nightly?: readonly string[];
}[] = [
  { name: "VipScore", artifact: "src/VipScore.sol/VipScore.json" },
  {
    name: "CappedScores",
    artifact: "examples/contracts/CappedScores.sol/CappedScores.json",
    daily: ["check_strangers", "check_slots", "check_reads"],
  },
  { name: "PausedScores", mayRefuse: true, daily: ["check_finalizeStageChecked", "check_sum_others"] },
  // Without a fault: a counterexample comes from the fault that is planted.
  {
    name: "Faults",
    daily: ["check_finalizeStageChecked", "check_strangers"],
    nightly: ["check_finalizeStageChecked", "check_strangers", "check_sum_updateScore", "check_sum_others"],
  },
];

/** The place of a fault in `enum Fault` of faults/Faults.sol. */
const fault = (name: string): number => {
  const names = ["None", "TwoSteps", "Value", "ChainAndDate", "LateClaim", "HiddenOwner", "LostId"];
  names.push("UncheckedFinalize", "WrongTotal", "BatchReopens", "BatchTakesOver", "BatchRenumbers");
  const index = names.indexOf(name);
  if (index < 0) throw new Error(`no fault ${name}`);
  return index;
};

/** Planted faults for each statement, of contracts that halmos must find a counterexample for. The first of each is for every run. */
export const faults: readonly { readonly statement: string; readonly contract: string; readonly fault?: number }[] = [
  { statement: "check_finalizedStage", contract: "Faults", fault: fault("TwoSteps") },
  { statement: "check_finalizedStage", contract: "Faults", fault: fault("Value") },
  { statement: "check_finalizedStage", contract: "Faults", fault: fault("ChainAndDate") },
  { statement: "check_finalizedStage_packed", contract: "Faults", fault: fault("BatchReopens") },
  { statement: "check_finalizedStage_twoRows", contract: "Faults", fault: fault("BatchReopens") },
  { statement: "check_roles", contract: "Faults", fault: fault("HiddenOwner") },
  { statement: "check_roles_packed", contract: "Faults", fault: fault("BatchTakesOver") },
  { statement: "check_roles_twoRows", contract: "Faults", fault: fault("BatchTakesOver") },
  { statement: "check_strangers", contract: "Faults", fault: fault("LateClaim") },
  { statement: "check_ids", contract: "Faults", fault: fault("LostId") },
  { statement: "check_ids_packed", contract: "Faults", fault: fault("BatchRenumbers") },
  { statement: "check_ids_twoRows", contract: "Faults", fault: fault("BatchRenumbers") },
  { statement: "check_sum_updateScore", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_sum_updateScore", contract: "HookedFault" },
  { statement: "check_sum_increaseScore", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_sum_decreaseScore", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_sum_updateScores", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_sum_sameAccountTwice", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_sum_twoRows", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_sum_packed", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_sum_others", contract: "Faults", fault: fault("WrongTotal") },
  { statement: "check_finalizeStageChecked", contract: "Faults", fault: fault("UncheckedFinalize") },
  { statement: "check_reads", contract: "HookedFault" },
  { statement: "check_pages", contract: "SkippedRow" },
  { statement: "check_slots", contract: "ShiftedSlots" },
];

/** Statements of more than a minute, and two that differ little from another one, for nights. */
export const slowStatements: readonly string[] = [
  "check_sum_increaseScore",
  "check_sum_decreaseScore",
  "check_finalizedStage_packed",
  "check_finalizedStage_twoRows",
  "check_roles",
  "check_roles_packed",
  "check_roles_twoRows",
  "check_ids",
  "check_ids_packed",
  "check_ids_twoRows",
  "check_sum_sameAccountTwice",
  "check_sum_twoRows",
  "check_sum_packed",
];
