import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { scenarios, type ContractCode, type Rule } from "../src/index.ts";
import { compileEvm, compileMove, type Change } from "../test/changedCode.ts";
import { firstBroken } from "../test/firstBroken.ts";
import { startChain } from "../test/startChain.ts";

/** A changed contract and the rule that it breaks. Written without regard to the scenarios, which it tests. */
interface Fault {
  readonly fault: string;
  readonly code: () => Promise<ContractCode>;
  readonly rule: Rule;
}

type Edit = Change["edits"][number];

const evm = (...changes: readonly Change[]) => compileEvm("src/VipScore.sol", changes);
const inVipScore = (...edits: readonly Edit[]) => evm({ file: "VipScore.sol", edits });
const inScorePages = (...edits: readonly Edit[]) => evm({ file: "ScorePages.sol", edits });

/** Changes what updateScores does after its rows. */
const afterRows = (source: string): Edit => [
  "_write(info, batch, addrs[i], amounts[i]);\n        info.commit(batch);",
  `_write(info, batch, addrs[i], amounts[i]);\n ${source}\n info.commit(batch);`,
];

const evmFaults: readonly Fault[] = [
  {
    fault: "finalize moves a point of the first account to the stage before",
    code: () =>
      inVipScore([
        "emit FinalizeStage(stage);",
        `emit FinalizeStage(stage);
           if (stage > _initStage && info.amountOf(1) != 0) {
             _stages[stage - 1].groups[0].amounts += 1 << 64;
             _stages[stage - 1].totalScore += 1; }`,
      ]),
    rule: "P2",
  },
  {
    fault: "the first write to the next stage adds a bonus to the finalized one, without an event",
    code: () =>
      inVipScore([
        "batch = info.begin();",
        `batch = info.begin();
         Stage storage before = _stages[stage - 1];
         if (info.revision == 0 && before.amountOf(1) != 0) {
           before.groups[0].amounts += 10 << 64;
           before.totalScore += 10;
         }`,
      ]),
    rule: "P2",
  },
  {
    fault: "the finalizer, once named, opens a finalized stage by finalizing it again",
    code: () =>
      inVipScore([
        "        _finalize(_openStage(stage));",
        `        if (_stages[stage].isFinalized && this.finalizer() == msg.sender) { _stages[stage].isFinalized = false; return; }
        _finalize(_openStage(stage));`,
      ]),
    rule: "R13",
  },
  {
    fault: "a batch of exactly 101 rows counts a point too many",
    code: () => inVipScore(afterRows("if (addrs.length == 101) ++batch.total;")),
    rule: "P4",
  },
  {
    fault: "a page whose limit is the number of all rows lacks the last one",
    code: () =>
      inScorePages([
        "if (rows == 0) return page;",
        "if (rows == 0) return page;\n if (limit == count && limit > 1) rows -= 1;",
      ]),
    rule: "P4",
  },
  {
    fault: "a score above 2^53 loses digits where it is read alone",
    code: () =>
      inVipScore([
        "& 1 != 0, info.amountOf(id));",
        "& 1 != 0, info.amountOf(id) > 2 ** 53 ? (info.amountOf(id) >> 10) << 10 : info.amountOf(id));",
      ]),
    rule: "R6",
  },
  {
    fault: "the event of a score above 2^32 has its lower half only",
    code: () =>
      evm({
        file: "RowWriter.sol",
        edits: [["UpdateScore(addr, batch.stage, amount,", "UpdateScore(addr, batch.stage, uint32(amount),"]],
      }),
    rule: "R12",
  },
  {
    fault: "the published total stops at 2^63 - 1",
    code: () =>
      inVipScore([
        "return (info.stage, info.totalScore, info.isFinalized);",
        "return (info.stage, info.totalScore >> 63 == 0 ? info.totalScore : type(uint64).max >> 1, info.isFinalized);",
      ]),
    rule: "R7",
  },
  {
    fault: "the event of a score does not index the stage",
    code: () =>
      evm({
        file: "IPublishedVipScore.sol",
        edits: [["address indexed addr, uint64 indexed stage,", "address indexed addr, uint64 stage,"]],
      }),
    rule: "P1",
  },
];

const move = (...edits: readonly Edit[]) => compileMove("", edits);

/** Adds to the module. */
const added = (source: string): Edit => ["    // Stages\n", `    // Stages\n\n${source}\n`];

/** A private function that writes a score to any stage. */
const amend = `
    fun amend(stage: u64, account: address, score: u64) acquires ModuleStore {
        let scores = ModuleStore[@vip_score].scores.borrow_mut(stage);
        let others = scores.total_score - *scores.score.borrow_with_default(account, &0);
        scores.score.upsert(account, score);
        scores.total_score = others + score;
    }
`;

/** Shows something else where one score is read. */
const scoreShown = (expression: string): Edit => [
  "        *stages.borrow(stage).score.borrow_with_default(account, &0)\n",
  `        let score = *stages.borrow(stage).score.borrow_with_default(account, &0);\n        ${expression}\n`,
];

const moveFaults: readonly Fault[] = [
  {
    fault: "who takes over ownership opens the first stage again",
    code: () =>
      move(
        [
          "accept_ownership_script(new_owner: &signer) acquires Extension {",
          "accept_ownership_script(new_owner: &signer) acquires ModuleStore, Extension {",
        ],
        [
          "        let previous_owner = get_owner();\n        Extension[@vip_score].owner",
          `        let previous_owner = get_owner();
        let first = get_init_stage();
        let stages = &mut ModuleStore[@vip_score].scores;
        if (previous_owner != accepting && stages.contains(first)) stages.borrow_mut(first).is_finalized = false;
        Extension[@vip_score].owner`,
        ],
      ),
    rule: "R5",
  },
  {
    fault: "finalize raises the publisher's score of the stage before",
    code: () =>
      move(added(amend), [
        "        event::emit(FinalizedScoreEvent { stage });",
        `        if (stage > get_init_stage()) amend(stage - 1, @vip_score, get_score(@vip_score, stage - 1) + 1);
        event::emit(FinalizedScoreEvent { stage });`,
      ]),
    rule: "P2",
  },
  {
    fault: "the first write to the next stage adds a bonus to the finalized one",
    code: () =>
      move(
        added(amend),
        [
          "fun raise_revision(stage: u64) acquires Extension {",
          "fun raise_revision(stage: u64) acquires ModuleStore, Extension {",
        ],
        [
          "        *revision += 1;\n",
          `        *revision += 1;
        if (*revision == 1 && stage > get_init_stage())
            amend(stage - 1, @vip_score, get_score(@vip_score, stage - 1) + 10);
`,
        ],
      ),
    rule: "P2",
  },
  {
    fault: "a page whose limit is the number of all rows lacks the last one",
    code: () =>
      move([
        "        while (left > 0 &&",
        "        if (left > 1 && left == stages.borrow(stage).score.length()) left -= 1;\n        while (left > 0 &&",
      ]),
    rule: "P4",
  },
  {
    fault: "a score above 2^53 loses digits where it is read alone",
    code: () => move(scoreShown("if (score > 9007199254740992) score - score % 1024 else score")),
    rule: "R6",
  },
  {
    fault: "the published total wraps at 2^63",
    code: () => move(["(stage).total_score else 0", "(stage).total_score % (1 << 63) else 0"]),
    rule: "R7",
  },
  {
    fault: "the event of update_score_script has the score before, if there was one",
    code: () =>
      move(
        [
          "            let score = scores[i];\n",
          "            let score = scores[i];\n            let before = *open.score.borrow_with_default(account, &score);\n",
        ],
        [
          "            event::emit(UpdateScoreEvent { account, stage, score, total_score: open.total_score });\n        };",
          "            event::emit(UpdateScoreEvent { account, stage, score: before, total_score: open.total_score });\n        };",
        ],
      ),
    rule: "R12",
  },
  {
    fault: "update_score_script is an entry point that modules cannot call",
    code: () => move(["    public entry fun update_score_script(", "    entry fun update_score_script("]),
    rule: "P1",
  },
  {
    fault: "the module is vip_score_core, beside an empty one with the name vip_score",
    code: () =>
      move([
        "module vip_score::vip_score {",
        "module vip_score::vip_score {\n    struct Placeholder has drop {}\n}\n\nmodule vip_score::vip_score_core {",
      ]),
    rule: "P3",
  },
];

describe.each<readonly [Vm, readonly Fault[]]>([
  ["evm", evmFaults],
  ["move", moveFaults],
])("%s", (vm, faults) => {
  // Prints the seed.
  const chain = started(() => startChain(vm));

  test.each(faults)("$rule: $fault", async ({ code, rule }) => {
    const finders = scenarios.filter(({ rules }) => rules.includes(rule));
    const found = await firstBroken(await chain.open(await code()), finders);
    expect(found, "the scenario that found the fault").toBeDefined();
  });
});
