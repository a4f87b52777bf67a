import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isTxError, MnemonicKey, MsgExecute, RESTClient, Wallet } from "@initia/initia.js";
import { beforeAll, expect, test } from "vitest";
import { parseAccount, stage, u64Max, type Account, type ScoreContract } from "@vipscore/core";
import { allFeatures } from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { buildVipnode, testAccounts } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { readRows, sorted, write } from "@vipscore/testkit/adapter/rows";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { contractsFolder } from "../scripts/compileModule.ts";
import { encodeU64 } from "../src/bcs.ts";
import { connectMove, deployMove, readMoveErrors, type MoveAccount } from "../src/index.ts";
import { signWin } from "./messagesExample.ts";
import { startMove } from "./moveChain.ts";
import { codeOf, deployShape, execute, freshAccount, publish } from "./testContract.ts";

const chain = useChain(() => startMove());
const [four, five] = [stage(4n), stage(5n)];

const folder = temporaryFolder();
beforeAll(async () => {
  for (const name of ["Move.toml", "sources", "arena", "fork"]) {
    await cp(join(contractsFolder, name), join(folder, name), { recursive: true });
  }
});

/** Calls a view of the module of an account, and returns what its JSON holds. */
function view<T>(publisher: MoveAccount, module: string, name: string, args: readonly Buffer[] = []): Promise<T> {
  const texts = args.map((arg) => arg.toString("base64"));
  const body = { address: publisher.account, module_name: module, function_name: name, type_args: [], args: texts };
  const read = (text: string): T => JSON.parse(text) as T;
  return openRest(chain().url).query("/initia/move/v1/view", body, (answer) => read(answer.field("data").text()), {});
}

/** Builds a package with its named addresses, and returns the compiled module. */
async function build(path: string, module: string, named: Readonly<Record<string, string>>): Promise<Buffer> {
  const vipnode = await buildVipnode({ vm: "move" });
  const options = Object.entries(named).flatMap(([name, address]) => ["--named-address", `${name}=${address}`]);
  await promisify(execFile)(vipnode, ["build", path, ...options], { cwd: folder });
  return readFile(join(path, "build", module, "bytecode_modules", `${module}.mv`));
}

/** Deploys our contract, and the example Arena as one of its deployers. */
async function deployArena() {
  const { node, url: restUrl } = chain();
  const operator = await freshAccount(node);
  const author = await freshAccount(node);
  await deployMove({ restUrl, account: operator, initStage: four });
  const addresses = { arena: author.account, vip_score: operator.account };
  await publish(node, author, await build(join(folder, "arena"), "arena", addresses));
  const scores = await connectMove({ restUrl, address: operator.address, account: operator });
  const member = await addScorer(scores, author);
  const player = await freshAccount(node);
  return { author, scores, member, player, win: (points: bigint) => winAt(author, "arena", player, points) };
}

/** Lets the game of an author score, and returns the account that does. */
async function addScorer(scores: ScoreContract, author: MoveAccount): Promise<Account> {
  // A view writes an address without leading zeros.
  const scorer = (await view<string>(author, "arena", "get_scorer")).slice(2).padStart(64, "0");
  const account = parseAccount(`0x${scorer}`, scores);
  await write(scores, { kind: "addMember", account });
  return account;
}

/** Wins in the game of an author, and returns the gas; the transaction must succeed. */
async function winAt(author: MoveAccount, game: string, player: MoveAccount, points: bigint): Promise<bigint> {
  const args = [encodeU64(points).toString("base64")];
  const call = new MsgExecute(player.address, author.account, game, "win", [], args);
  const { succeeded, gasUsed } = await execute(chain().node, player, call);
  expect(succeeded).toBe(true);
  return gasUsed;
}

/** The win of Arena without a score, for measuring only. */
const plainGame = `module plain::plain {
    #[event]
    struct Won has drop, store { player: address, points: u64 }

    public entry fun win(player: &signer, points: u64) {
        std::event::emit(Won { player: std::signer::address_of(player), points });
    }
}
`;

/** Deploys that game, and returns the gas of a win. */
async function winWithoutScore(): Promise<bigint> {
  const author = await freshAccount(chain().node);
  const plain = join(folder, "plain");
  await mkdir(join(plain, "sources"), { recursive: true });
  const arena = await readFile(join(folder, "arena/Move.toml"), "utf8");
  await writeFile(join(plain, "Move.toml"), arena.replaceAll("arena", "plain").replace(/^vip_score = .*$/gm, ""));
  await writeFile(join(plain, "sources/plain.move"), plainGame);
  await publish(chain().node, author, await build(plain, "plain", { plain: author.account }));
  return winAt(author, "plain", await freshAccount(chain().node), 5n);
}

test("Arena scores in its users' own transactions, and moves on to the open stage", async () => {
  const { scores, player, win } = await deployArena();
  await win(5n);
  await win(7n);
  expect(await scores.getScore(four, player.account)).toBe(12n);
  expect(await scores.getStage(four)).toMatchObject({ total: 12n, count: 1n, revision: 2n });
  await write(scores, { kind: "finalizeStage", stage: four });
  await win(3n);
  expect(await scores.getScore(five, player.account)).toBe(3n);
});

test("a wallet of initia.js wins", async () => {
  const { author, scores } = await deployArena();
  const { url, node } = chain();
  const rest = new RESTClient(url, { chainId: node.chainId, gasPrices: "0umin", gasAdjustment: "1.75" });
  const { address, mnemonic } = testAccounts.operator;
  const wallet = new Wallet(rest, new MnemonicKey({ mnemonic }));
  const sent = await rest.tx.broadcast(await signWin(wallet, author.address, 5n), hangBoundMs);
  expect(isTxError(sent)).toBe(false);
  expect(await scores.getScore(four, parseAccount(address, scores))).toBe(5n);
});

test("Arena keeps the win if the score would be refused, at the gas of docs/performance.md", async () => {
  const { scores, member, player, win } = await deployArena();
  const [alone, first, again] = [await winWithoutScore(), await win(5n), await win(5n)];
  await write(scores, { kind: "updateScores", stage: four, rows: [{ account: player.account, score: u64Max }] });
  await win(5n);
  await write(scores, { kind: "removeMember", account: member });
  const refused = await win(5n);
  console.log(`Move: an event ${alone} gas; a win ${first} for a new account, ${again} later; refused ${refused}`);
  expect(first).toBeLessThan(100_000n);
  expect(again).toBeLessThan(100_000n);
  expect(await scores.getStage(four)).toMatchObject({ total: u64Max, count: 1n, revision: 3n });
});

test("Arena keeps the win until the upgrade of the scoring contract is complete, and scores from then on", async () => {
  const { node, url: restUrl } = chain();
  const [operator, author, player] = [await freshAccount(node), await freshAccount(node), await freshAccount(node)];
  const addresses = { arena: author.account, vip_score: operator.account };
  // What the game can be on a reference contract: its object is a member already.
  const early = join(folder, "early");
  await cp(join(folder, "arena"), early, { recursive: true });
  const source = await readFile(join(early, "sources/arena.move"), "utf8");
  const rule = /^ {4}\/\/\/ The sender wins[\s\S]*(?=^ {4}#\[view\])/m;
  expect(source).toMatch(rule);
  await writeFile(join(early, "sources/arena.move"), source.replace(rule, ""));
  const reference = await deployShape(node, "reference", operator);
  await publish(node, author, await build(early, "arena", addresses));
  await addScorer(reference, author);
  await publish(node, operator, codeOf("ours", operator.account));
  await publish(node, author, await build(join(folder, "arena"), "arena", addresses));

  await winAt(author, "arena", player, 5n);
  expect(await reference.getStage(stage(1n))).toMatchObject({ total: 0n });
  await deployMove({ restUrl, account: operator, initStage: stage(1n) });
  await winAt(author, "arena", player, 7n);
  expect(await reference.getStage(stage(1n))).toMatchObject({ total: 7n });
});

/** Returns the folder of a package with a patch of the fork example. */
async function forkWith(patch: string): Promise<string> {
  const fork = join(folder, patch);
  for (const name of ["Move.toml", "sources"]) await cp(join(folder, name), join(fork, name), { recursive: true });
  await promisify(execFile)("git", ["apply", `../fork/${patch}.patch`], { cwd: fork });
  return fork;
}

test("the fork with a cap refuses each score above it, and a game asks for the cap first", async () => {
  const { node, url: restUrl } = chain();
  const account = await freshAccount(node);
  const artifact = await forkWith("capped");
  await build(artifact, "vip_score", { vip_score: account.account });
  await deployMove({ restUrl, account, initStage: four, artifact });
  const errors = await readMoveErrors(artifact, account.account);
  const scores = await connectMove({ restUrl, address: account.address, account, errors });
  const rowOf = (score: bigint) => [{ account: account.account, score }];
  const cap = 1_000_000n;
  await write(scores, { kind: "updateScores", stage: four, rows: rowOf(cap) });
  for (const packed of [false, true]) {
    const above = { kind: "updateScores", stage: four, rows: rowOf(cap + 1n), packed } as const;
    expect(await scores.simulate(above)).toMatchObject({
      state: "refused",
      details: expect.stringContaining("EABOVE_CAP") as string,
    });
  }
  expect(await scores.getScore(four, account.account)).toBe(cap);

  // Arena asks for the cap as in the README.
  const readme = await readFile(join(contractsFolder, "README.md"), "utf8");
  const [asks = expect.fail("the README has no function")] = /^fun is_within_cap[^]*?^\}$/m.exec(readme) ?? [];
  const game = join(folder, "capped-arena");
  await cp(join(folder, "arena"), game, { recursive: true });
  const edit = async (file: string, from: string, to: string) => {
    const text = await readFile(join(game, file), "utf8");
    expect(text).toContain(from);
    await writeFile(join(game, file), text.replace(from, to));
  };
  await edit("Move.toml", 'vip_score = { local = ".." }', 'vip_score = { local = "../capped" }');
  const asked = "can_score(signer::address_of(&scorer), arena.stage, points)";
  await edit("sources/arena.move", asked, `${asked} && is_within_cap(player, arena.stage, points)`);
  await edit("sources/arena.move", "    fun can_score(", `${asks}\n\n    fun can_score(`);
  const [author, player] = [await freshAccount(node), await freshAccount(node)];
  await publish(node, author, await build(game, "arena", { arena: author.account, vip_score: account.account }));
  await addScorer(scores, author);
  for (const points of [cap - 1n, 2n, u64Max, 1n]) await winAt(author, "arena", player, points);
  expect(await scores.getScore(four, player.account)).toBe(cap);
});

test("the fork with one more view replaces our module in place, and a second release of it the first", async () => {
  const { node, url: restUrl } = chain();
  const account = await freshAccount(node);
  await deployMove({ restUrl, account, initStage: four });
  const scores = await connectMove({ restUrl, address: account.address, account });
  const rows = [
    { account: account.account, score: 20n },
    { account: (await freshAccount(node)).account, score: 11n },
  ];
  await write(scores, { kind: "updateScores", stage: four, rows });

  const fork = await forkWith("mean_score");
  const publishFork = async () =>
    publish(node, account, await build(fork, "vip_score", { vip_score: account.account }));
  await publishFork();

  expect(await view(account, "vip_score", "get_mean_score", [encodeU64(4n)])).toBe("15");
  const forked = await connectMove({ restUrl, address: account.address, account });
  expect(forked).toMatchObject({ version: "1.1.0-acme", features: allFeatures });
  const expected = { total: 31n, count: 2n, revision: 1n };
  expect(await write(forked, { kind: "finalizeStage", stage: four, expected })).toMatchObject({ succeeded: true });
  await write(forked, { kind: "updateScores", stage: five, rows: rows.slice(1) });
  const data = (contract: ScoreContract) =>
    Promise.all([four, five].map(async (at) => [await contract.getStage(at), sorted(await readRows(contract, at))]));
  const before = await data(forked);

  const file = join(fork, "sources/vip_score.move");
  const source = await readFile(file, "utf8");
  expect(source).toContain("1.1.0-acme");
  await writeFile(file, source.replace("1.1.0-acme", "1.2.0-acme"));
  await publishFork();
  const second = await connectMove({ restUrl, address: account.address, account });
  expect(second).toMatchObject({ version: "1.2.0-acme", features: allFeatures });
  expect(await data(second)).toEqual(before);
  await write(second, { kind: "updateScores", stage: five, rows });
  expect(await second.getStage(five)).toMatchObject({ total: 31n, count: 2n, revision: 2n });
});
