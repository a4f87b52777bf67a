import { beforeAll, describe, expect, test, vi } from "vitest";
import { u64Max } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { runConformance, scenarios, type ContractCode, type ScenarioResult, type Subject } from "../src/index.ts";
import { resultsByRule } from "../src/runConformance.ts";
import { amountsOf } from "../src/scenarios/amounts.ts";
import { compileEvm, compileMove } from "./changedCode.ts";
import { openCode, startChain } from "./startChain.ts";

/** What a contract refuses. Default: nothing. */
interface Limits {
  readonly least?: bigint;
  readonly most?: bigint;
  readonly step?: bigint;
  /** Unless it is a listed account: none is. */
  readonly listed?: bigint;
  readonly paused?: bigint;
  /** The cap of an account for which none is set. */
  readonly unset?: bigint;
}

const none: Required<Limits> = { least: 0n, most: u64Max, step: 1n, listed: 0n, paused: 0n, unset: u64Max };

/** Takes the place of a limit in the compiled code: eight bytes that nothing else has. */
const placeholder = (index: number) => `0x5ca1ab1ec0de${index}00d`;

/** The example of a cap with all of these limits, whose hook and storage take them from the code. Compiled once: it takes seconds. */
function compileLimited(): Promise<ContractCode> {
  const path = "examples/contracts/CappedScores.sol";
  const [least, most, step, listed, paused, unset] = Object.keys(none).map((_, index) => placeholder(index));
  const state = `mapping(address => bool) private _listed;
    mapping(address => uint64) private _caps;
    uint64 private _isPaused = ${paused};
    function _capOf(address a) private view returns (uint64) { return _caps[a] == 0 ? ${unset} : _caps[a]; }
    function _isRefused(address a, uint64 amount) private view returns (bool) {
      if (_isPaused != 0 || (${listed} != 0 && !_listed[a]) || amount > _capOf(a)) return true;
      return amount < ${least} || amount > ${most} || amount % ${step} != 0;
    }`;
  const edits = [
    ["internal pure override", "internal view override"],
    ["amount > CAP", "_isRefused(addr, amount)"],
    ["    constructor", `    ${state}\n    constructor`],
  ] as const;
  return compileEvm(path, [{ file: `../${path}`, edits }]);
}

function withLimits({ bytes, ...code }: ContractCode, limits: Limits): ContractCode {
  let text = bytes.toString("hex");
  for (const [index, limit] of Object.values({ ...none, ...limits }).entries()) {
    const place = placeholder(index).slice(2);
    expect(text).toContain(place);
    text = text.replaceAll(place, limit.toString(16).padStart(16, "0"));
  }
  return { ...code, bytes: Buffer.from(text, "hex") };
}

const contracts: readonly (readonly [limit: string, limits: Limits, isTried: boolean])[] = [
  ["a minimum of 1,000", { least: 1_000n }, true],
  ["a minimum of 1,000,000", { least: 1_000_000n }, true],
  ["a maximum of 50", { most: 50n }, true],
  ["a minimum of 1,000 and a maximum of 2,000", { least: 1_000n, most: 2_000n }, true],
  ["steps of ten", { step: 10n }, true],
  ["steps of ten up to 500", { step: 10n, most: 500n }, true],
  ["steps of seven", { step: 7n }, true],
  ["a list of accounts", { listed: 1n }, false],
  ["a pause, running", { paused: 0n }, true],
  ["a pause, paused", { paused: 1n }, false],
  ["a cap for each account, unset 500", { unset: 500n }, true],
  ["a cap for each account, unset 0", { unset: 0n }, false],
];

const program = scenarios.filter(({ area }) => area === "program");

async function resultsOf(subject: Subject): Promise<readonly ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for await (const result of runConformance(subject, { scenarios: program })) results.push(result);
  return results;
}

describe("a contract with a limit", () => {
  const chain = started(() => startChain("evm"));
  let limited: ContractCode;
  beforeAll(async () => {
    limited = await compileLimited();
  });

  test.each(contracts)("keeps the program's rules, or is not tried: %s", async (_, limits, isTried) => {
    const results = await resultsOf(await chain.open(withLimits(limited, limits)));
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
    const subject = await chain.open(withLimits(limited, {}));
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
