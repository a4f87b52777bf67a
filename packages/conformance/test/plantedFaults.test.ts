import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { publishedCode, scenarios, type ContractCode } from "../src/index.ts";
import { compileEvm, compileMove, renameInWasm, type Change } from "./changedCode.ts";
import { firstBroken } from "./firstBroken.ts";
import { startChain } from "./startChain.ts";

/** A change of our contract that breaks a rule of the program, the scenario that finds it, and what it names. */
interface Fault {
  readonly fault: string;
  readonly code: () => Promise<ContractCode>;
  readonly foundBy: string;
  readonly named: RegExp;
}

const evm = (...changes: readonly Change[]) => compileEvm("src/VipScore.sol", changes);
const inVipScore = (...edits: Change["edits"]) => evm({ file: "VipScore.sol", edits });
const inRowWriter = (...edits: Change["edits"]) => evm({ file: "RowWriter.sol", edits });

/** Our contract, whose interface has another name. */
async function renameInAbi(from: string, to: string): Promise<ContractCode> {
  const { abi, ...code } = await publishedCode("evm");
  return { ...code, abi: JSON.parse(JSON.stringify(abi).replaceAll(`"${from}"`, `"${to}"`)) as ContractCode["abi"] };
}

const evmFaults: readonly Fault[] = [
  {
    fault: "increaseScore does not ask whether the stage is finalized",
    code: () =>
      inVipScore(["if (info.isFinalized)", "if (info.isFinalized && msg.sig != this.increaseScore.selector)"]),
    foundBy: "program.finalized-writes",
    named: /\bincreaseScore by creator\b/,
  },
  {
    fault: "a page leaves out a row",
    code: () =>
      evm({
        file: "ScorePages.sol",
        edits: [
          [
            "uint256 id = ids[i];\n            IPublishedVipScore",
            "if (i == 99) continue;\n            uint256 id = ids[i];\n            IPublishedVipScore",
          ],
        ],
      }),
    foundBy: "program.pages",
    named: /\brows in pages of \d+\b/,
  },
  {
    fault: "a row that had a score emits no event",
    code: () => inRowWriter(["emit IPublishedVipScore", "if (previous == 0) emit IPublishedVipScore"]),
    foundBy: "program.events",
    named: /\bexpected \[.*\bevent: 'row'.*\bsaw \[\]/,
  },
  {
    fault: "a finalize does not report the next stage",
    code: () => inVipScore(["emit CreateStage(stage);", "if (stage == _initStage) emit CreateStage(stage);"]),
    foundBy: "program.events",
    named: /\bCreateStage\b/,
  },
  {
    fault: "the total drifts: a lower score does not lower it",
    code: () =>
      inRowWriter(["batch.total - previous + amount", "batch.total + (amount > previous ? amount - previous : 0)"]),
    foundBy: "program.calls",
    named: /\btotal: 60n\b.*\btotal: 65n\b/,
  },
  {
    fault: "a field of a page has another name",
    code: () => renameInAbi("amount", "points"),
    foundBy: "program.interface",
    named: /\bgetScores\b.*\buint64 amount\b.*\buint64 points\b/,
  },
  {
    fault: "a function has another name",
    code: () => renameInAbi("removeAllowList", "dropAllowList"),
    foundBy: "program.interface",
    named: /\bremoveAllowList\(address\).* missing\b/,
  },
];

const rows = "score.iter(option::none(), start_after, DESCENDING);\n";

const moveFaults: readonly Fault[] = [
  {
    fault: "the module has another name",
    code: () => compileMove("", [["module vip_score::vip_score {", "module vip_score::vip_scores {"]]),
    foundBy: "program.name",
    named: /\bvip_scores\b/,
  },
  {
    fault: "a field of an event has another name",
    code: () =>
      compileMove("", [
        [
          "struct UpdateScoreEvent has drop, store {\n        account:",
          "struct UpdateScoreEvent has drop, store {\n        addr:",
        ],
        ["UpdateScoreEvent { account,", "UpdateScoreEvent { addr: account,"],
      ]),
    foundBy: "program.interface",
    named: /\bstruct UpdateScoreEvent\{account:address\b.*\{addr:address\b/,
  },
  {
    fault: "every page but the first leaves out a row",
    code: () =>
      compileMove("", [
        [rows, `${rows}        if (start_after.is_some() && rows.prepare()) { let (_, _) = rows.next(); };\n`],
      ]),
    foundBy: "program.pages",
    named: /\brows in pages of \d+\b/,
  },
];

const wasmFaults: readonly Fault[] = [
  {
    fault: "a field of an answer has another name",
    code: () => renameInWasm("is_finalized", "is_completed"),
    foundBy: "program.interface",
    named: /\bget_stage_info\b.*\bis_finalized\b.*\bis_completed\b/,
  },
  {
    fault: "a message has another name",
    code: () => renameInWasm("remove_allow_list", "delete_allow_list"),
    foundBy: "program.interface",
    named: /\bremove_allow_list\b/,
  },
  {
    fault: "an event has another name",
    code: () => renameInWasm("finalize-stage", "complete-stage"),
    foundBy: "program.events",
    named: /\bfinalize-stage\b/,
  },
];

describe.each<readonly [Vm, readonly Fault[]]>([
  ["evm", evmFaults],
  ["move", moveFaults],
  ["wasm", wasmFaults],
])("%s", (vm, faults) => {
  const chain = started(() => startChain(vm));

  test.each(faults)("$fault", async ({ code, foundBy, named }) => {
    const finder = scenarios.filter(({ id }) => id === foundBy);
    const found = await firstBroken(await chain.open(await code()), finder);
    expect(found).toMatchObject({ id: foundBy, seen: expect.stringMatching(named) });
  });
});
