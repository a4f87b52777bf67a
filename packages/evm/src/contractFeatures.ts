import { toFunctionSelector, type Hex } from "viem";
import type { ContractFeatures } from "@vipscore/core";
import { vipScoreAbi } from "./vipScoreAbi.generated.ts";

type FunctionName = Extract<(typeof vipScoreAbi)[number], { type: "function" }>["name"];

/** The functions of the published interface that write or read scores. */
const published: readonly FunctionName[] = [
  "updateScores",
  "updateScore",
  "increaseScore",
  "decreaseScore",
  "finalizeStage",
  "addAllowList",
  "removeAllowList",
  "initStage",
  "stages",
  "scores",
  "allowList",
  "getScores",
];

/** The functions that make up each feature. */
const added: Readonly<Record<keyof ContractFeatures, readonly FunctionName[]>> = {
  checkedFinalize: ["getStage", "finalizeStageChecked"],
  packed: ["getStage", "idsOf", "accountCount", "getScoresFrom", "updateScoresPacked"],
  roles: [
    "owner",
    "pendingOwner",
    "transferOwnership",
    "acceptOwnership",
    "finalizer",
    "setFinalizer",
    "membersCanManage",
    "setMembersCanManage",
    "allowListCount",
    "getAllowList",
    "setAllowList",
  ],
};

/** The features of a contract, by the selectors in its code. */
export function featuresOf(code: Hex): ContractFeatures {
  const hasAll = (names: readonly FunctionName[]): boolean => missingOf(code, names).length === 0;
  return { checkedFinalize: hasAll(added.checkedFinalize), packed: hasAll(added.packed), roles: hasAll(added.roles) };
}

/** The published functions that code lacks. */
export function missingFunctions(code: Hex): readonly string[] {
  return missingOf(code, published);
}

/** Every compiler has a function's selector in the code: with a push in the dispatcher, or in a table. */
function missingOf(code: Hex, names: readonly FunctionName[]): readonly FunctionName[] {
  return names.filter((name) => !hasBytes(code, selectorOf(name)));
}

function selectorOf(name: FunctionName): string {
  const found = vipScoreAbi.find((item) => item.type === "function" && item.name === name);
  if (found?.type !== "function") throw new Error(`the ABI has no function ${name}`);
  return toFunctionSelector(found).slice(2);
}

function hasBytes(code: Hex, bytes: string): boolean {
  let at = code.indexOf(bytes);
  // A match that starts in the middle of a byte is not one.
  while (at !== -1 && at % 2 === 1) at = code.indexOf(bytes, at + 1);
  return at !== -1;
}
