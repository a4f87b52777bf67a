import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSources, publishedCode } from "../src/index.ts";
import { compileMove, compileMoveFork, folderOf } from "./changedCode.ts";

const heading = "module vip_score::vip_score {\n";
const place = "    fun revision_of(";

/** Our module with more functions. */
const withFunctions = (functions: string, others: Readonly<Record<string, string>> = {}, friend = "") =>
  compileMove(
    "",
    [
      [heading, `${heading}${friend}`],
      [place, `${functions}\n${place}`],
    ],
    others,
  );

const numberOfFunctions = /^\d+ functions of vip_score equal those of @vipscore\/move \d/;

test("our own module is safe by construction", async () => {
  expect(await checkSources(undefined, await publishedCode("move"))).toEqual({
    holds: true,
    restsOn: [
      expect.stringMatching(numberOfFunctions),
      "it has no other function that writes the state",
      expect.stringMatching(/^friends\b.*: none$/),
    ],
    toRead: [],
  });
});

test("so is a copy with a view more, compiled for another address", async () => {
  const { holds, restsOn, toRead } = await checkSources(undefined, await compileMoveFork("fork/mean_score.patch"));
  expect({ holds, toRead }).toEqual({ holds: true, toRead: [] });
  expect(restsOn).toContainEqual(expect.stringMatching(/: contract_version: \bchanged; get_mean_score: \bnew$/));
});

test("so is a copy whose friend calls our public functions, and its friends and modules are named", async () => {
  const referrals = await readFile(join(folderOf("move"), "test/friend/referrals.move"), "utf8");
  const code = await withFunctions(
    `    public(friend) fun award(deployer: &signer, account: address, stage: u64, points: u64) acquires ModuleStore, Extension {
         increase_score(deployer, account, stage, points);
     }`,
    { "referrals.move": referrals },
    "    friend vip_score::referrals;\n",
  );
  expect(await checkSources(undefined, code)).toEqual({
    holds: true,
    restsOn: [
      expect.stringMatching(numberOfFunctions),
      expect.stringMatching(/: award: new$/),
      expect.stringMatching(/^friends\b.*: @::referrals$/),
      expect.stringMatching(/^module referrals:/),
    ],
    toRead: [],
  });
});

test("each new function that can write the state is named, and how; one that cannot is not", async () => {
  const code = await withFunctions(`
    public entry fun correct_script(_caller: &signer, stage: u64, account: address, score: u64) acquires ModuleStore {
        ModuleStore[@vip_score].scores.borrow_mut(stage).score.upsert(account, score);
    }
    fun bend(scores: &mut Scores) { double(&mut scores.total_score); }
    fun double(number: &mut u64) { *number = *number * 2; }
    fun bend_all(_scores: &mut vector<Scores>) {}
    public fun touch(stage: u64) acquires Extension { raise_revision(stage); }
    public fun touch_later(stage: u64) acquires Extension { touch_more(stage); }
    fun touch_more(stage: u64) acquires Extension { raise_revision(stage + 1); }
    fun take_all(): ModuleStore acquires ModuleStore { move_from<ModuleStore>(@vip_score) }
    fun put_back(publisher: &signer, store: ModuleStore) { move_to(publisher, store); }
    struct Note has key { text: u64 }
    public fun note(publisher: &signer, deployer: &signer) acquires ModuleStore, Extension, Note {
        move_to(publisher, Note { text: 1 });
        Note[@vip_score].text = get_total_score(1);
        increase_score(deployer, @vip_score, 1, 1);
    }`);
  const { holds, restsOn, toRead } = await checkSources(undefined, code);
  expect(holds).toBe(false);
  expect(toRead.toSorted()).toEqual([
    "bend: new, takes a &mut Scores, borrows Scores.total_score mutably",
    "bend_all: new, takes a &mut vector<Scores>",
    expect.stringMatching(/^correct_script: \bnew\b.*\bModuleStore\b.*\bScores\.score mutably$/),
    "put_back: new, takes a ModuleStore, stores a ModuleStore",
    "take_all: new, removes ModuleStore",
    "touch: new, calls raise_revision, which writes",
    "touch_later: new, calls touch_more, which writes",
    "touch_more: new, calls raise_revision, which writes",
  ]);
  expect(restsOn[1]).toMatch(/: double: \bnew; note: \bnew$/);
});

test("each changed function that can write the state is named, and a changed struct of the state", async () => {
  const code = await compileMove("", [
    [
      "assert!(!scores.is_finalized, ESTAGE_FINALIZED);",
      "assert!(!scores.is_finalized || stage == 7, ESTAGE_FINALIZED);",
    ],
    ["    fun finalize(stage", "    public fun finalize(stage"],
    ["is_finalized: bool,\n        /// The score", "is_finalized: bool,\n        note: u64,\n        /// The score"],
    ["is_finalized: false, score: table::new()", "is_finalized: false, note: 0, score: table::new()"],
    [
      "    fun check_owner(caller: &signer) acquires Extension {\n",
      "    fun check_owner(caller: &signer) acquires Extension {\n        check_upgraded();\n",
    ],
  ]);
  const { holds, toRead } = await checkSources(undefined, code);
  expect(holds).toBe(false);
  expect(toRead).toEqual(
    expect.arrayContaining([
      "struct Scores: changed",
      expect.stringMatching(/^borrow_open_stage: \bchanged\b.*&mut ModuleStore\b/),
      expect.stringMatching(/^finalize: \bchanged\b.*\bModuleStore mutably\b/),
      expect.stringMatching(/^create_stage: changed, .*\bmakes a Scores\b/),
      "check_owner: changed, may use a changed struct",
    ]),
  );
});

test("a module in which no function of ours writes is an error: nothing would be compared", async () => {
  await expect(checkSources(undefined, await compileMove("test/reference_shape", []))).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringMatching(/\bvip_score\b.*\bwrites\b/),
  });
});

test("a module that ends too early and a path are errors", async () => {
  const { bytes, ...code } = await publishedCode("move");
  const short = { ...code, bytes: bytes.subarray(0, -4_000) };
  await expect(checkSources(undefined, short)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  await expect(checkSources("folder", { ...code, bytes })).rejects.toMatchObject({ code: "INPUT_INVALID" });
});
