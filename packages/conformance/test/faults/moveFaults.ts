import { testAccounts } from "@vipscore/core/testAccounts";
import { compileMove, type Change } from "../changedCode.ts";
import type { Fault } from "./fault.ts";

type Edit = Change["edits"][number];

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

/** Adds to the module something that writes to any stage. */
export const amending = (source: string) => move(added(amend + source));

/** Changes in whose case a finalized stage takes writes. */
const openIf = (condition: string): Edit => [
  "assert!(!scores.is_finalized, ESTAGE_FINALIZED);",
  `assert!(!scores.is_finalized || ${condition}, ESTAGE_FINALIZED);`,
];

/** A case in which a batch opens its stage. */
const opensBatchIf = (condition: string): Edit => [
  "        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);\n        for",
  `        if (${condition} && ModuleStore[@vip_score].scores.contains(stage)) {
            ModuleStore[@vip_score].scores.borrow_mut(stage).is_finalized = false;
        };
        let open = borrow_open_stage(&mut ModuleStore[@vip_score], stage);
        for`,
];

/** Shows something else where one score is read. */
const scoreShown = (expression: string): Edit => [
  "        *stages.borrow(stage).score.borrow_with_default(account, &0)\n",
  `        let score = *stages.borrow(stage).score.borrow_with_default(account, &0);\n        ${expression}\n`,
];

/** Adds a resource to those that a function lists. */
const reads = (signature: string, resource: string): Edit => [`${signature} {`, `${signature}, ${resource} {`];

/** When each stage was finalized, beside the state of the contract. */
const closedAt: readonly Edit[] = [
  reads("fun finalize(stage: u64) acquires ModuleStore", "ClosedAt"),
  reads("finalize_script(deployer: &signer, stage: u64) acquires ModuleStore, Extension", "ClosedAt"),
  reads("        expected_revision: u64\n    ) acquires ModuleStore, Extension", "ClosedAt"),
  added(`    struct ClosedAt has key { seconds: Table<u64, u64> }

    fun now(): u64 {
        let (_, seconds) = minitia_std::block::get_block_info();
        seconds
    }

    fun days_closed(stage: u64): u64 acquires ClosedAt {
        let seconds = &ClosedAt[@vip_score].seconds;
        if (!seconds.contains(stage)) return 0;
        (now() - *seconds.borrow(stage)) / 86400
    }`),
  [
    "        create_extension(publisher);\n    }\n\n    /// Completes",
    "        move_to(publisher, ClosedAt { seconds: table::new() });\n        create_extension(publisher);\n    }\n\n    /// Completes",
  ],
  [
    "event::emit(FinalizedScoreEvent { stage });",
    "ClosedAt[@vip_score].seconds.upsert(stage, now());\n        event::emit(FinalizedScoreEvent { stage });",
  ],
];

/** A write to a stage, counted from 1, adds to the publisher's score of the stage before. */
const bonusOnWrite = (count: number) =>
  move(
    added(amend),
    [
      "fun raise_revision(stage: u64) acquires Extension {",
      "fun raise_revision(stage: u64) acquires ModuleStore, Extension {",
    ],
    [
      "        *revision += 1;\n",
      `        *revision += 1;
        if (*revision == ${count} && stage > get_init_stage())
            amend(stage - 1, @vip_score, get_score(@vip_score, stage - 1) + 10);
`,
    ],
  );

export const moveFaults: readonly Fault[] = [
  {
    fault: "a public function that is no entry point writes to any stage, for a module or a script",
    code: () =>
      amending(`
    public fun adjust(_caller: &signer, stage: u64, account: address, score: u64) acquires ModuleStore {
        amend(stage, account, score);
    }`),
    rule: "P2",
  },
  {
    fault: "a generic entry function writes to any stage",
    code: () =>
      amending(`
    public entry fun correct_script<Reason>(_caller: &signer, stage: u64, account: address, score: u64) acquires ModuleStore {
        amend(stage, account, score);
    }`),
    rule: "P2",
  },
  {
    fault: "an entry function that two accounts sign writes to any stage",
    code: () =>
      amending(`
    public entry fun agree_script(one: &signer, other: &signer, stage: u64, account: address, score: u64) acquires ModuleStore {
        assert!(signer::address_of(one) != signer::address_of(other), ENOT_DEPLOYER);
        amend(stage, account, score);
    }`),
    rule: "P2",
    named: /\bagree_script\b.*\bsucceeded\b/,
  },
  {
    fault: "an entry function that is not public writes to any stage, for deployers",
    code: () =>
      amending(`
    entry fun audit_script(deployer: &signer, stage: u64, account: address, score: u64) acquires ModuleStore {
        check_deployer(deployer);
        amend(stage, account, score);
    }`),
    rule: "P2",
  },
  {
    fault: "a module that is a friend writes to any stage",
    code: () =>
      move(
        [
          "module vip_score::vip_score {",
          `module vip_score::settlement {
    public fun settle(stage: u64, account: address, score: u64) {
        vip_score::vip_score::settle(stage, account, score);
    }
}

module vip_score::vip_score {
    friend vip_score::settlement;
`,
        ],
        added(`${amend}
    public(friend) fun settle(stage: u64, account: address, score: u64) acquires ModuleStore {
        amend(stage, account, score);
    }`),
      ),
    rule: "P2",
    named: /\bfriend\b/,
  },
  {
    fault: "a score that a deployer keeps in its own account before finalize is written when it settles after it",
    code: () =>
      amending(`
    struct Promise has key, drop { stage: u64, account: address, score: u64 }

    public entry fun promise_script(deployer: &signer, stage: u64, account: address, score: u64) acquires ModuleStore {
        check_deployer(deployer);
        assert!(is_open(stage), ESTAGE_FINALIZED);
        move_to(deployer, Promise { stage, account, score });
    }

    public entry fun keep_script(deployer: &signer) acquires ModuleStore, Promise {
        let Promise { stage, account, score } = move_from<Promise>(signer::address_of(deployer));
        amend(stage, account, score);
    }`),
    rule: "P2",
  },
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
    rule: "P2",
  },
  {
    fault: "while the publisher does not manage deployers, it can write to finalized stages by update_score_script",
    code: () => move(opensBatchIf("!publisher_manages()")),
    rule: "P2",
  },
  {
    fault: "the published score of one account is halved 30 days after finalize",
    code: () =>
      move(
        ...closedAt,
        scoreShown("if (days_closed(stage) >= 30) score / 2 else score"),
        reads("get_score(account: address, stage: u64): u64 acquires ModuleStore", "ClosedAt"),
      ),
    rule: "P2",
  },
  {
    fault: "deployers can write on the second day after finalize",
    code: () =>
      move(
        ...closedAt,
        [
          ") acquires ModuleStore, Extension {\n        check_deployer(deployer);\n        let count",
          ") acquires ModuleStore, Extension, ClosedAt {\n        check_deployer(deployer);\n        let count",
        ],
        opensBatchIf("days_closed(stage) == 1"),
      ),
    rule: "P2",
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
    fault: "the hundredth write to a stage adds a bonus to the stage before",
    code: () => bonusOnWrite(100),
    rule: "P2",
  },
  {
    fault: "the first write to the next stage adds a bonus to the finalized one",
    code: () => bonusOnWrite(1),
    rule: "P2",
  },
  {
    fault: "an amount that the code names opens a finalized stage",
    code: () => move(opensBatchIf("count == 1 && scores[0] == 4276994270120")),
    rule: "P2",
  },
  {
    fault: "a finalized stage takes writes unless the public test account published the module",
    code: () => move(openIf(`@vip_score != @${testAccounts.deployer.address}`)),
    rule: "P2",
  },
  {
    fault: "a finalized stage takes writes unless the chain has the name of a local one",
    code: () => move(openIf(`minitia_std::block::get_chain_id() != string::utf8(b"vipnode-move-1")`)),
    rule: "P2",
  },
  {
    fault: "the last of more than 250 rows of update_scores_script does not count in the total",
    code: () =>
      move([
        "        event::emit(UpdateScoresEvent { stage, count, total_score: open.total_score });",
        `        if (count > 250) open.total_score -= scores[count - 1];
        event::emit(UpdateScoresEvent { stage, count, total_score: open.total_score });`,
      ]),
    rule: "P4",
  },
  {
    fault: "a score beyond the 10,000 first of a stage does not count in the total",
    code: () =>
      move([
        "open.total_score = others + score;",
        "if (open.score.length() <= 10000) open.total_score = others + score;",
      ]),
    rule: "P4",
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
    rule: "P4",
  },
  {
    fault: "the published total wraps at 2^63",
    code: () => move(["(stage).total_score else 0", "(stage).total_score % (1 << 63) else 0"]),
    rule: "P4",
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
    rule: "P1",
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
