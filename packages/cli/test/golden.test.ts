import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, openTestFolder, startTestChain, type TestFolder } from "./harness.ts";
import { alice, bob, cats, collection, minted, startIndexedChain } from "./indexedChain.ts";
import { setStage, startL1, u64 } from "./localL1.ts";
import { addresses, broadcastFile } from "./proposalL1.ts";
import { bridgeAddress, contractFields, settingsOf } from "./proposalSettings.ts";

// The only outputs of the command that tests compare word by word: one file of test/golden for each command.
// `npx vitest run test/golden.test.ts -u` accepts new words. All other tests assert codes and values (T2 in
// docs/guidelines.md).

/** The published schema of what `--json` prints. */
const schema = JSON.parse(await readFile(new URL("../output.schema.json", import.meta.url), "utf8")) as {
  readonly anyOf: readonly { readonly properties: Readonly<Record<string, { readonly const?: unknown }>> }[];
};
const ajv = new Ajv2020({ allowUnionTypes: true });

/** Checks an object by the schema's parts for its command. */
function expectOfSchema(printed: Readonly<Record<string, unknown>>): void {
  const { command, error } = printed;
  const parts = schema.anyOf.filter(({ properties }) =>
    error === undefined ? properties["command"]?.const === command : "error" in properties,
  );
  const isValid = ajv.compile(parts.length === 0 ? schema : { ...schema, anyOf: parts });
  if (!isValid(printed)) expect.fail(`${JSON.stringify(printed)}: ${ajv.errorsText(isValid.errors)}`);
}

/** Replaces what differs between two runs. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:<port>"],
  [/\b(?:0x)?[0-9a-fA-F]{64}\b/g, "<hash>"],
  [/\b[0-9a-f]{4}…[0-9a-f]{2}\b/g, "<digest>"],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)/g, "<time>"],
  [/\b((?:height|blockHeight)"?:? *"?|block )\d(?:[\d,]*\d)?/g, "$1<n>"],
  [
    /"(bytes|duration|seed|gasUsed|gasLimit|gas|fee|spent|price|maxFee|balance|averageBalance)": ?"?\d+"?/g,
    '"$1": "<n>"',
  ],
  // Stages that L1 would have reached since 1970.
  [/\b2\d,?\d{3}(?= stages?\b)|(?<=\bstage )2\d{4}\b/g, "<n>"],
  [/\b\d[\d,.]*(?= (?:kB|bytes|s|ms|GAS|umin|blocks?)\b)/g, "<n>"],
  // What is left of a test account on L1.
  [/\b999(?:,\d{3}){4}\b/g, "<n>"],
  [/\b\d+ d(?: \d+ h)?\b/g, "<n> d <n> h"],
  [/\bgas( +)\d[\d,.]*(?: [kM]\b)?/g, "gas$1<n>"],
  [/\bv1\.\d+\.\d+\b/g, "<version>"],
  [/\/tmp\/vipscore-cli-\w+/g, "<folder>"],
  [/(?<=[\n"])[A-Za-z0-9+/]{80,}={0,2}/g, "<base64>"],
];

/** Records what commands print, by the command's first word. */
class Transcripts {
  readonly #texts = new Map<string, string>();
  readonly #vm: string;
  /** Lines that do not fit their terminal although they have more than one word. */
  readonly tooLong: string[] = [];

  constructor(vm: string) {
    this.#vm = vm;
  }

  /** Runs a command as a person and, unless it changes something that a second run shows, with `--json`. */
  async run(
    folder: TestFolder,
    line: string,
    options: { env?: Record<string, string>; once?: boolean } = {},
  ): Promise<void> {
    const args = line.split(" ");
    const forms = options.once === true ? [args] : [args, [...args, "--json"]];
    for (const form of forms) {
      const { status, stdout, stderr } = await folder.cli(form, { env: options.env ?? {} });
      const object = /^\{.*\}\n$/.test(stdout) ? (JSON.parse(stdout) as Record<string, unknown>) : undefined;
      if (object !== undefined) expectOfSchema(object);
      const shown = object === undefined ? stdout : `${JSON.stringify(object, null, 1)}\n`;
      let text = `$ vipscore ${form.join(" ")}\nstatus ${status}\n--- stdout\n${shown}--- stderr\n${stderr}\n`;
      for (const [pattern, to] of volatile) text = text.replaceAll(pattern, to);
      const [name = ""] = args;
      this.#texts.set(name, `${this.#texts.get(name) ?? ""}${text}`);
    }
  }

  /** Runs a command that changes nothing on terminals of three widths. */
  async layout(folder: TestFolder, line: string): Promise<void> {
    for (const columns of [60, 80, 120]) {
      const options = { terminal: true, columns, env: { NO_COLOR: "1" } };
      const { stdout, stderr } = await folder.cli(line.split(" "), options);
      // What the next output replaced is not shown.
      const left = stderr.split("\r\u001b[2K").filter((part) => part.includes("\n"));
      const shown = `${stdout}--- stderr\n${left.join("")}`;
      this.tooLong.push(...shown.split("\n").filter((each) => each.length > columns && /\S \S/.test(each)));
      let text = `${columns} columns: $ vipscore ${line}\n${shown}\n`;
      for (const [pattern, to] of volatile) text = text.replaceAll(pattern, to);
      this.#texts.set("layout", `${this.#texts.get("layout") ?? ""}${text}`);
    }
  }

  /** What the commands printed, by the name of its file. */
  get files(): ReadonlyMap<string, string> {
    return new Map([...this.#texts].map(([name, text]) => [`golden/${name}.${this.#vm}.txt`, text]));
  }
}

const policy = {
  "policy/policy.toml": `name = "season 1"
version = "2"

[rollup]
chain_id = "31337"

[[source]]
name = "trades"
kind = "reference"
file = "trades.csv"
columns = { address = "address", volume = "integer" }
`,
  "policy/policy.sql": "select address, sum(volume) // 10 as score from trades group by address",
  "policy/trades.csv": `address,volume\n${addressOf(1)},19\n${addressOf(2)},200\n${addressOf(1)},1\n${addressOf(3)},50\n`,
};

test("golden: the commands on a local EVM chain", async () => {
  await using chain = await startTestChain();
  const said = new Transcripts("evm");
  const run = (line: string, options?: Parameters<Transcripts["run"]>[2]): Promise<void> =>
    said.run(chain, line, options);
  const once = { once: true };
  await run("status");
  await run("new evm game");
  await run("new move arena", once);
  await run("deploy --init-stage 1");
  await run("deploy --init-stage 1 --finalizer 0x00000000000000000000000000000000000000f1", once);
  await run("status");
  await run("stage");
  await run("version");
  await run("doctor");
  await run("members list");
  await run(`members add ${addressOf(0x77)}`, once);
  await run(`members add ${addressOf(0x77)}`);
  await run("members list", once);
  await run(`members remove ${addressOf(0x77)}`, once);
  await run(`members finalizer ${testAccounts.operator.address}`, once);
  await run(`members finalizer ${testAccounts.deployer.address}`, once);
  await run("members set 0x1", once);
  await run(`owner offer ${addressOf(0x88)}`, once);
  await run("owner accept", once);
  await chain.write("scores.csv", csvOf(400));
  await chain.write("more.csv", csvOf(402, 1001));
  await chain.write("few.csv", csvOf(3));
  await chain.write("bad.csv", `address,score\n${addressOf(1)},12.5\n${addressOf(2)},7\n${addressOf(3)},-1\n`);
  await run("push scores.csv --stage 1 --dry-run");
  await run("push scores.csv --stage 1", once);
  await run("push scores.csv --stage 1");
  await run("push more.csv --stage 1 --json", once);
  await run("push few.csv --stage 1 --dry-run");
  await run("push few.csv --stage 1 --dry-run --prune", once);
  for (const line of [
    "push few.csv --stage 1 --dry-run --prune",
    "push bad.csv --stage 1",
    "verify few.csv --stage 1",
    "status",
    "doctor",
  ]) {
    await said.layout(chain, line);
  }
  await run("push bad.csv --stage 1");
  await run("push absent.csv --stage 1", once);
  await run("push scores.csv --stage 0", once);
  await run("push scores.csv", once);
  await run("push scores.csv --stage 5");
  await run("verify more.csv --stage 1", once);
  await run("verify few.csv --stage 1", once);
  await run("push few.csv --stage 1 --prune", once);
  await run("finalize --stage 1 --file more.csv --yes", once);
  await run("finalize --stage 1 --file few.csv");
  await run(
    "finalize --stage 1 --file few.csv --unsigned call.json --from 0x5AfE5afE5afE5afE5afE5aFe5aFe5Afe5Afe5AfE",
    once,
  );
  await run("finalize --stage 1 --file few.csv --yes", once);
  await run("finalize --stage 1 --file few.csv --yes");
  await run("push more.csv --stage 1");
  await run("stage", once);
  await run("status");
  await run("snapshot --stage 1 --bridge-id 7");
  await run("snapshot --stage 1 --bridge-id 7 --out proofs.json", once);
  await run("snapshot --stage 9 --bridge-id 7", once);
  await run("verify-proof proofs.json");
  await run(`verify-proof proofs.json --address ${addressOf(0xabc000)}`, once);
  await run(`verify-proof proofs.json --address ${addressOf(9)}`, once);
  await run("report --stage 1 --bridge-id 7", once);
  await run("report --stage 1");
  await run("report --stage 1 --out other.html --json", once);
  await mkdir(join(chain.cwd, "policy"));
  for (const [name, text] of Object.entries(policy)) await chain.write(name, text);
  await run("score check policy --stage 2");
  await run("score data policy --stage 2");
  await run("score run policy --stage 2 --out scores2.csv", once);
  await run("score run policy --stage 2 --out scores2.csv");
  await run("score new season2 --example nft-holders --vm evm --chain-id 31337", once);
  await run("push scores2.csv --stage 2 --manifest scores2.manifest.json", once);
  await run("export --stage 2");
  await run("export --stage 2 --out export.csv", once);
  await run("verify scores2.csv --stage 2");
  await run("finalize --stage 2 --file scores2.csv --manifest scores2.manifest.json --yes", once);
  await run("audit scores2.manifest.json --policy policy");
  await chain.write("policy/policy.sql", "select address, sum(volume) as score from trades group by address");
  await run("audit scores2.manifest.json --policy policy", once);
  await run("doctor");
  await run("claim --proofs proofs.json --address 0x1 --out claim.json");
  await run("practice stage");
  await run("operator claim --bridge-id 7 --out claim.json", once);
  await run("proposal register --settings absent.json --out tx.json", once);
  await run("frobnicate", once);
  await run("watch absent.csv --stage 3 --interval 1x", once);
  await run("conform --artifact absent.json", once);
  await run("nft tokens", once);
  await run("indexer --port 99999999", once);
  await run("node --vm cobol", once);
  expect(said.tooLong).toEqual([]);
  for (const [file, text] of said.files) await expect(text).toMatchFileSnapshot(file);
});

test("golden: the NFTs of an indexer", async () => {
  await using chain = await startTestChain();
  await using indexed = await startIndexedChain();
  const said = new Transcripts("nfts");
  await indexed.block(
    collection(cats, "Cats"),
    minted(cats, "1", alice),
    minted(cats, "20", bob),
    minted(cats, "3", alice),
  );
  for (const line of [
    `tokens --collection ${cats}`,
    `tokens ${alice}`,
    `holders ${cats}`,
    `tokens --format csv ${bob}`,
  ]) {
    await said.run(chain, `nft ${line}`, { env: { INDEXER_URL: indexed.url } });
  }
  await said.layout(chain, `nft tokens --indexer-url ${indexed.url} --collection ${cats}`);
  for (const [file, text] of said.files) await expect(text).toMatchFileSnapshot(file);
});

describe("golden: a Move rollup on L1", () => {
  const bridgeId = 7n;
  const l1 = started(() => startL1());
  const folder = started(async () =>
    openTestFolder(await startVipnode({ vm: "move", bridge: { id: bridgeId, address: bridgeAddress } }), l1.endpoint),
  );

  test("the commands", async () => {
    const said = new Transcripts("move");
    const { deployer, operator } = testAccounts;
    const [asOperator, asDeployer] = [{ MNEMONIC: operator.mnemonic }, { MNEMONIC: deployer.mnemonic }];
    const run = (line: string, options?: Parameters<Transcripts["run"]>[2]): Promise<void> =>
      said.run(folder, line, options);
    const once = { once: true };
    await setStage(l1, 1n);
    await l1.call("set_parameters", ...[86_400n, 4n, 0n, 0n].map(u64));
    await run("deploy --init-stage 2", once);
    const contract = await folder.deploy(2);
    await folder.write("settings.json", settingsOf(contract, bridgeId));
    await folder.write("contract.json", settingsOf(contract, bridgeId, contractFields));
    await run("proposal register --settings settings.json --out tx.json --forum forum.md", once);
    await run("proposal register --settings settings.json --out signed.json --sign --json", once);
    await run("stage");
    await run("doctor");
    await l1.register(bridgeId, contract, 0n);
    await run("proposal register --settings settings.json --out again.json");
    await run("proposal contract --settings contract.json --out contract.tx.json");
    await run("practice stage", once);
    await folder.write("scores.csv", `${csvOf(4)}${deployer.address},500\n`);
    await run("status");
    await run("push scores.csv --stage 2 --dry-run");
    await run("push scores.csv --stage 2", once);
    await run("finalize --stage 2 --file scores.csv --yes");
    await run("practice stage --json", once);
    await run("finalize --stage 2 --file scores.csv --yes", once);
    await run("proposal challenge --stage 2 --settings contract.json --out challenge.json");
    await run("snapshot --stage 2 --out proofs.json", once);
    await run("practice snapshot", once);
    await run("practice snapshot");
    await run("snapshot --stage 2");
    await run("stage", once);
    await run("verify-proof proofs.json");
    await run("doctor");
    await run("status");
    await run("report --stage 2 --out report.html", once);
    await run("version");
    await run("operator commission 0.05 --bridge-id 7 --out commission.json", once);
    await run(`operator address ${addresses.deployer} --bridge-id 7 --out address.json`);
    await run("operator claim --bridge-id 7 --out draft.json", once);
    await run("operator claim --bridge-id 7 --out operator.json --sign --json", { once: true, env: asOperator });
    expect(await broadcastFile(l1, folder.cwd, "operator.json")).toBe("");
    await run("practice period", once);
    await run(`claim --proofs proofs.json --address ${deployer.address} --out draft-of-user.json`, once);
    await run(`claim --proofs proofs.json --address ${deployer.address} --out user.json --sign --json`, {
      once: true,
      env: asDeployer,
    });
    await run("practice send user.json", once);
    await run(`claim --proofs proofs.json --address ${deployer.address} --out late.json`);
    // Another root on L1 than that of the scores.
    await l1.call("advance_stage");
    await folder.ok(["push", "scores.csv", "--stage", "3"]);
    await folder.ok(["finalize", "--stage", "3", "--file", "scores.csv", "--yes", "--early"]);
    await l1.submit(bridgeId, 3n, naiveRoot({ bridgeId, stage: 3n, rows: [] }) ?? "ab".repeat(32), 4n);
    await run("snapshot --stage 3");
    await run("doctor");
    expect(await readFile(join(folder.cwd, "forum.md"), "utf8")).toContain(contract);
    for (const [file, text] of said.files) await expect(text).toMatchFileSnapshot(file);
  });
});
