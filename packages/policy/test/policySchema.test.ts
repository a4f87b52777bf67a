import { Ajv } from "ajv";
import { parse, stringify } from "smol-toml";
import { expect, test } from "vitest";
import { InputError } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { exampleFiles, policyExamples, policySchema, readPolicy } from "../src/index.ts";
import { alice, bob, openPolicyFolder } from "./policyFolder.ts";

const isValid = new Ajv({ allowUnionTypes: true }).compile(policySchema());
const events = { start_height: 1, on_misfit: "reject", max_misfits: 10 };
const where = { columns: { who: "address", by: "address?" }, where: { action: "trade" } };
const accounts = "accounts.csv";

/** A source of each kind, with all of its fields. */
const sources: readonly object[] = [
  {
    kind: "reference",
    file: "points.csv",
    url: "https://example.org/points.csv",
    columns: { address: "address", points: "integer" },
  },
  { kind: "evm_events", contracts: [bob], event: "event E(address a)", columns: { a: "text" }, ...events },
  { kind: "evm_events", contracts: [bob], event: ["event E(address a)", "event E(address indexed a)"] },
  { kind: "move_events", type: "0x1::a::B", ...where, ...events },
  { kind: "wasm_events", contracts: [bob], event: "trade", ...where, ...events },
  { kind: "transactions", contracts: [bob], start_height: 5 },
  { kind: "nft_holdings", collections: [bob], start_height: 5 },
  { kind: "nft_holdings_over_time", collections: [bob] },
  { kind: "balances", token: bob, accounts },
  { kind: "balances", denom: "umin", accounts },
];

const whole = {
  name: "s",
  version: "1",
  exclude: "exclude.csv",
  max_share_percent: 10,
  plain_assets: [alice],
  productive_assets: { umin: "staked" },
  pools: [bob],
  rollup: { chain_id: "a-1" },
  window: { blocks: [1, 2] },
};
/** Values that some fields take, and values that none takes. */
const contents: readonly unknown[] = [
  "trade",
  "points.csv",
  1,
  100,
  1001,
  true,
  [1, 2],
  ["a"],
  [bob],
  {},
  { a: "text" },
];
const wrongTypes: readonly unknown[] = [1.5, [], [1.5], [{}], { a: 1.5 }, { a: {} }];

test("the schema takes the policies that the command takes, and no other names and types", async () => {
  await using folder = await openPolicyFolder({ "accounts.csv": `address\n${alice}\n`, "exclude.csv": "address\n" });
  const read = async (file: object): Promise<boolean> => {
    await folder.write({ "policy.toml": stringify(file) });
    return readPolicy(folder.path).then(
      () => true,
      (error: unknown) => (error instanceof InputError ? false : Promise.reject(error as Error)),
    );
  };
  const { pick } = seededRandom(fuzzSeed());
  const taken = new Set<unknown>();
  for (let run = 0; run < fuzzRuns(600); run += 1) {
    const source: Record<string, unknown> = { name: "trades", may_be_empty: true, ...pick(sources) };
    const file: Record<string, unknown> = { ...whole, source: [source] };
    const changed = pick([file, source]);
    const change = pick(["none", "content", "missing", "type", "name"]);
    if (change === "content") changed[pick(Object.keys(changed))] = pick(contents);
    if (change === "missing") delete changed[pick(Object.keys(changed))];
    if (change === "type") changed[pick(Object.keys(changed))] = pick(wrongTypes);
    if (change === "name") changed["color"] = pick(contents);
    const isTaken = await read(file);
    // A schema does not know the forms of texts, nor what fields say together.
    const isKnown = isTaken || change === "type" || change === "name";
    if (isKnown) expect({ file, isTaken: isValid(file) }).toEqual({ file, isTaken });
    if (isTaken) taken.add(source["kind"]);
  }
  expect(taken.size).toBe(8);
  const least = { name: "s", version: "1", rollup: { chain_id: "a-1" }, source: [{ name: "trades", ...sources[0] }] };
  expect(isValid(least)).toBe(true);
  for (const name of Object.keys(least)) {
    expect(isValid(Object.fromEntries(Object.entries(least).filter(([other]) => other !== name)))).toBe(false);
  }
});

test("the schema takes the examples", async () => {
  for (const example of policyExamples) {
    for (const vm of ["evm", "move", "wasm"] as const) {
      const files = await exampleFiles({ example, vm, chainId: "7", contract: bob });
      const isTaken = isValid(parse(files.get("policy.toml") ?? ""));
      expect({ example, vm, isTaken }).toEqual({ example, vm, isTaken: true });
    }
  }
});
