import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { scenarios } from "../src/index.ts";
import { compileMove, folderOf } from "./changedCode.ts";
import { firstBroken } from "./firstBroken.ts";
import { startChain } from "./startChain.ts";

const chain = started(() => startChain("move"));

const module = "module vip_score::vip_score {\n";

/** Our module and a second one, its friend, which calls what only friends can. */
async function compileWithFriend() {
  const friend = await readFile(join(folderOf("move"), "test/friend/referrals.move"), "utf8");
  const added = `    friend vip_score::referrals;\n
    public(friend) fun award(deployer: &signer, account: address, stage: u64, points: u64) acquires ModuleStore, Extension {
        increase_score(deployer, account, stage, points);
    }\n`;
  return compileMove("", [[module, `${module}${added}`]], { "referrals.move": friend });
}

test("a package with a friend is published whole, and it keeps the program's rules", async () => {
  const subject = await chain.open(await compileWithFriend());
  expect(await subject.publish?.()).toEqual(expect.arrayContaining(["referrals", "vip_score"]));
  const program = scenarios.filter(({ area }) => area === "program");
  expect(await firstBroken(subject, program)).toBeUndefined();
});

test("a package that cannot be published ends with the chain's reason, not with broken rules", async () => {
  const { others: _, ...alone } = await compileMove(
    "",
    [[module, `${module}    public fun names(): u64 { vip_score::names::count() }\n`]],
    { "names.move": "module vip_score::names { public fun count(): u64 { 1 } }" },
  );
  await expect(chain.open(alone)).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringMatching(/\bcontract\b.*LINKER_ERROR[^]*\bfolder\b/),
  });
});

test("a game, which calls a scoring contract, is called one", async () => {
  const game = "module vip_score::game { public fun first(): u64 { vip_score::vip_score::get_init_stage() } }";
  const { others: [bytes] = [], ...code } = await compileMove("", [], { "game.move": game });
  const refused = chain.open({ ...code, bytes: bytes ?? expect.fail("no game") });
  await expect(refused).rejects.toMatchObject({ code: "INPUT_INVALID", message: expect.stringMatching(/\bgame\b/) });
});
