import { describe, expect, test, vi } from "vitest";
import { started } from "@vipscore/testkit/started";
import { runConformance, scenarios, type ContractCode, type ScenarioResult, type Subject } from "../src/index.ts";
import { resultsByRule } from "../src/runConformance.ts";
import { amountsOf } from "../src/scenarios/amounts.ts";
import { compileEvm, compileMove } from "./changedCode.ts";
import { openCode, startChain } from "./startChain.ts";

const path = "examples/contracts/CappedScores.sol";

/** The example of a cap, whose hook has another condition, with a function for the account that deploys. */
function limited(refuses: string, own = ""): Promise<ContractCode> {
  const edits = [
    ["internal pure override", "internal view override"],
    ["amount > CAP", refuses],
    ["    constructor", `    ${own}\n    constructor`],
  ] as const;
  return compileEvm(path, [{ file: `../${path}`, edits }]);
}

const allowList =
  "mapping(address => bool) public listed; function list(address a) external onlyOwner { listed[a] = true; }";
const pause = (start: boolean) =>
  `bool public isPaused = ${start}; function pause(bool to) external onlyOwner { isPaused = to; }`;
const caps = (unset: number) =>
  `mapping(address => uint64) private _caps; function setCap(address a, uint64 to) external onlyOwner { _caps[a] = to; }
   function capOf(address a) public view returns (uint64) { return _caps[a] == 0 ? ${unset} : _caps[a]; }`;

const contracts: readonly (readonly [limit: string, code: () => Promise<ContractCode>, isTried: boolean])[] = [
  ["a minimum of 1,000", () => limited("amount < 1_000"), true],
  ["a minimum of 1,000,000", () => limited("amount < 1_000_000"), true],
  ["a maximum of 50", () => limited("amount > 50"), true],
  ["a minimum of 1,000 and a maximum of 2,000", () => limited("amount < 1_000 || amount > 2_000"), true],
  ["steps of ten", () => limited("amount % 10 != 0"), true],
  ["steps of ten up to 500", () => limited("amount % 10 != 0 || amount > 500"), true],
  ["steps of seven", () => limited("amount % 7 != 0"), true],
  ["a list of accounts", () => limited("!listed[addr]", allowList), false],
  ["a pause, running", () => limited("isPaused", pause(false)), true],
  ["a pause, paused", () => limited("isPaused", pause(true)), false],
  ["a cap for each account, unset 500", () => limited("amount > capOf(addr)", caps(500)), true],
  ["a cap for each account, unset 0", () => limited("amount > capOf(addr)", caps(0)), false],
];

const program = scenarios.filter(({ area }) => area === "program");

async function resultsOf(subject: Subject): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for await (const result of runConformance(subject, { scenarios: program })) results.push(result);
  return results;
}

describe("a contract with a limit", () => {
  const chain = started(() => startChain("evm"));

  test.each(contracts)("keeps the program's rules, or is not tried: %s", async (_, code, isTried) => {
    const results = await resultsOf(await chain.open(await code()));
    expect(results.filter(({ verdict }) => verdict === "broken")).toEqual([]);
    const untried = results.filter(({ verdict }) => verdict === "untried").map(({ id }) => id);
    const withoutRows = new Set(["program.name", "program.interface"]);
    expect(untried).toEqual(isTried ? [] : program.map(({ id }) => id).filter((id) => !withoutRows.has(id)));
    const rules = resultsByRule(results, new Set()).map(({ rule, verdict, broken }) => [rule, verdict, broken.length]);
    const verdict = isTried ? "kept" : "untried";
    expect(rules).toEqual([
      ["P1", verdict, 0],
      ["P2", verdict, 0],
      ["P3", "kept", 0],
      ["P4", verdict, 0],
    ]);
  });

  test("that also writes to a finalized stage breaks P2", async () => {
    const ask = "msg.sig != this.increaseScore.selector";
    const edits = [
      ["if (info.isFinalized)", `if (info.isFinalized && ${ask})`],
      ["        if (addr != address(0)) info.write", "require(amount >= 1_000); if (addr != address(0)) info.write"],
    ] as const;
    const code = await compileEvm("src/VipScore.sol", [{ file: "VipScore.sol", edits }]);
    const results = await resultsOf(await chain.open(code));
    expect(results.find(({ verdict }) => verdict === "broken")).toMatchObject({
      id: "program.finalized-writes",
      seen: expect.stringMatching(/\bincreaseScore\b.*\bcreator\b/) as string,
    });
  });

  test("costs no call of a contract that takes all scores but those of one trial", async () => {
    const subject = await chain.open(await compileEvm(path, []));
    const deploy = vi.spyOn(subject, "deploy");
    for (let use = 0; use < 3; use += 1) await amountsOf(subject);
    expect(deploy).toHaveBeenCalledTimes(1);
  });
});

test("a module on Move with a minimum keeps the program's rules", async () => {
  const line = "inline fun write(open: &mut Scores, account: address, score: u64) {";
  const code = () => compileMove("", [[line, `${line}\n assert!(score >= 1000, 99);`]]);
  await using tested = await openCode("move", code);
  expect((await resultsOf(tested.subject)).filter(({ verdict }) => verdict !== "kept")).toEqual([]);
});
