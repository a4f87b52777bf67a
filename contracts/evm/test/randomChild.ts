import type { Address } from "viem";
import type { SeededRandom } from "@vipscore/testkit/seededRandom";
import { outsideSource } from "./deployChild.ts";
import {
  makeCall,
  modelId,
  Revert,
  setScores,
  tryCall,
  type ModelHooks,
  type ModelRow,
  type ModelRun,
} from "./model.ts";

/** How deep hooks run hooks: the writes of a hook run it again. */
const DEPTH = 2;

/** A contract that inherits, with random hooks, and the same hooks for the model. */
export interface RandomChild {
  /** `Child`, whose constructor takes the first stage and an `Outside`, and {@link outsideSource}. */
  readonly source: string;
  readonly hooksOf: (outside: Address) => ModelHooks;
}

/** A statement of a hook, as Solidity and as what it does in the model. */
interface Statement {
  readonly code: string;
  readonly act: (run: ModelRun, stage: bigint, outside: Address) => void;
}

/** A statement that changes `rows`. */
interface RowStatement {
  readonly code: string;
  readonly act: (rows: readonly ModelRow[]) => readonly ModelRow[];
}

/** A condition on which a row is refused. */
interface RowCheck {
  readonly code: string;
  readonly refuses: (run: ModelRun, stage: bigint, row: ModelRow) => boolean;
}

/** Writes a contract whose hooks write, finalize, revert, call back through another contract, or do nothing. */
export function randomChild(random: SeededRandom, scored: readonly Address[], ids: readonly number[]): RandomChild {
  const some = <T>(most: number, make: () => T): readonly T[] =>
    Array.from({ length: random.below(most + 1) }, () => make());
  const statement = () => randomStatement(random, scored, ids);
  const [beforeWrite, beforeFinalize, beforeRows] = [some(2, statement), some(2, statement), some(1, statement)];
  const rowStatements = some(3, () => randomRowStatement(random, scored));
  const checks = some(2, () => randomRowCheck(random));
  const hasRowHooks = random.below(3) > 0;
  const allowsPacked = random.below(2) === 0;
  const inside = (statements: readonly Statement[], before: string) =>
    `if (_depth == ${DEPTH}) return${before}; ++_depth;\n${statements.map(({ code }) => code).join("\n")}\n--_depth;`;
  const rowHooks = `
  function _rowsToWrite(uint64 stage, Row[] memory rows) internal override returns (Row[] memory) {
    ${rowStatements.map(({ code }) => code).join("\n")}
    ${inside(beforeRows, " rows")}
    return rows;
  }
  function _beforeRow(uint64 stage, address addr, uint64 amount) internal view override {
    ${checks.map(({ code }) => `if (${code}) revert Refused();`).join("\n")}
  }`;
  const packed = `
  function updateScoresPacked(uint64 stage, PackedScores[] calldata entries) public override {
    VipScore.updateScoresPacked(stage, entries);
  }`;
  const source = `${outsideSource}
contract Child is ${hasRowHooks ? "RowHooks" : "VipScore"} {
  Outside private immutable outside;
  uint256 private _depth;
  error Refused();
  constructor(uint64 first, Outside outside_) VipScore(first) { outside = outside_; }
  function _beforeWrite(uint64 stage) internal override { ${inside(beforeWrite, "")} }
  function _beforeFinalize(uint64 stage) internal override { ${inside(beforeFinalize, "")} }${hasRowHooks ? rowHooks : ""}${
    hasRowHooks && allowsPacked ? packed : ""
  }
${helpers}
}`;

  const hooksOf = (outside: Address): ModelHooks => {
    const act = (statements: readonly Statement[]) => (run: ModelRun, stage: bigint) => {
      if (run.depth === DEPTH) return;
      run.depth++;
      for (const one of statements) one.act(run, stage, outside);
      run.depth--;
    };
    const rows = {
      allowsPacked,
      toWrite: (run: ModelRun, stage: bigint, given: readonly ModelRow[]) => {
        act(beforeRows)(run, stage);
        return rowStatements.reduce((list, one) => one.act(list), given);
      },
      before: (run: ModelRun, stage: bigint, row: ModelRow) => {
        if (checks.some(({ refuses }) => refuses(run, stage, row))) throw new Revert("Refused");
      },
    };
    const hooks = { beforeWrite: act(beforeWrite), beforeFinalize: act(beforeFinalize) };
    return hasRowHooks ? { ...hooks, rows } : hooks;
  };
  return { source, hooksOf };
}

const helpers = `
  function _set(uint64 stage, address addr, uint64 amount) private { _setScores(stage, _append(new Row[](0), addr, amount)); }
  function _append(Row[] memory rows, address addr, uint64 amount) private pure returns (Row[] memory more) {
    more = new Row[](rows.length + 1);
    for (uint256 i = 0; i < rows.length; ++i) more[i] = rows[i];
    more[rows.length] = Row(addr, amount);
  }
  function _without(Row[] memory rows) private pure returns (Row[] memory fewer) {
    if (rows.length == 0) return rows;
    fewer = new Row[](rows.length - 1);
    for (uint256 i = 0; i < fewer.length; ++i) fewer[i] = rows[i];
  }
  function _scoreOf(uint64 stage, address addr) private view returns (uint64 score) { (, score) = scores(stage, addr); }
  function _addr(address addr) private pure returns (address[] memory list) { list = new address[](1); list[0] = addr; }
  function _amount(uint64 amount) private pure returns (uint64[] memory list) { list = new uint64[](1); list[0] = amount; }
  function _packed(uint256 key, uint256 amounts) private pure returns (PackedScores[] memory list) {
    list = new PackedScores[](1);
    list[0] = PackedScores(key, amounts);
  }`;

function randomStatement(random: SeededRandom, scored: readonly Address[], ids: readonly number[]): Statement {
  const addr = random.pick(scored);
  const amount = BigInt(random.below(30));
  const later = random.pick([0n, 0n, 0n, 1n]);
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return {
        code: `_set(stage, ${addr}, ${amount});`,
        act: (run, stage) => setScores(run, stage, [{ addr, amount }]),
      };
    case 4: {
      // As the caller of the function whose hook it is.
      const act: Statement["act"] = (run, stage) => {
        if (run.model.stages.get(stage)?.revision === 3n)
          makeCall(run, { from: run.from, name: "finalizeStage", args: [stage] });
      };
      return { code: `if (getStage(stage).revision == 3) finalizeStage(stage);`, act };
    }
    case 5: {
      const every = BigInt(3 + random.below(3));
      return {
        code: `if (getStage(stage).revision % ${every} == 1) revert Refused();`,
        act: ({ model }, stage) => {
          if ((model.stages.get(stage)?.revision ?? 0n) % every === 1n) throw new Revert("Refused");
        },
      };
    }
    default: {
      const call = randomCallBack(random, { addr, amount, id: random.pick(ids), later });
      const isStrict = random.below(4) === 0;
      return {
        code: `outside.run(abi.encodeCall(this.${call.name}, (${call.code})), ${isStrict});`,
        act: (run, stage, outside) => {
          const made = { from: outside, name: call.name, args: call.argsOf(run, stage) };
          if (isStrict) makeCall(run, made);
          else tryCall(run, made);
        },
      };
    }
  }
}

interface CallBack {
  readonly name: string;
  readonly code: string;
  readonly argsOf: (run: ModelRun, stage: bigint) => readonly unknown[];
}

function randomCallBack(
  random: SeededRandom,
  { addr, amount, id, later }: { addr: Address; amount: bigint; id: number; later: bigint },
): CallBack {
  const stageCode = later === 0n ? "stage" : "stage + 1";
  const one = (name: string): CallBack => ({
    name,
    code: `${stageCode}, ${addr}, ${amount}`,
    argsOf: (_, stage) => [stage + later, addr, amount],
  });
  const key = 16n * BigInt(Math.floor(id / 4)) + (1n << BigInt(id % 4));
  const amounts = amount << (64n * BigInt(id % 4));
  const calls: readonly CallBack[] = [
    one("updateScore"),
    one("increaseScore"),
    one("decreaseScore"),
    {
      name: "updateScores",
      code: `${stageCode}, _addr(${addr}), _amount(${amount})`,
      argsOf: (_, stage) => [stage + later, [addr], [amount]],
    },
    {
      name: "updateScoresPacked",
      code: `${stageCode}, _packed(${key}, ${amounts})`,
      argsOf: (_, stage) => [stage + later, [{ key, amounts }]],
    },
    { name: "finalizeStage", code: stageCode, argsOf: (_, stage) => [stage + later] },
    {
      name: "finalizeStageChecked",
      code: "stage, getStage(stage).totalScore, getStage(stage).scoreCount, getStage(stage).revision",
      argsOf: ({ model }, stage) => {
        const info = model.stages.get(stage);
        return [stage, info?.total ?? 0n, BigInt(info?.scores.size ?? 0), info?.revision ?? 0n];
      },
    },
    { name: "registerAccounts", code: `_addr(${addr})`, argsOf: () => [[addr]] },
  ];
  return random.pick(calls);
}

function randomRowStatement(random: SeededRandom, scored: readonly Address[]): RowStatement {
  const added: ModelRow = { addr: random.pick(scored), amount: BigInt(random.below(30)) };
  const statements: readonly RowStatement[] = [
    {
      code: "for (uint256 i = 0; i < rows.length; ++i) rows[i].amount /= 2;",
      act: (rows) => rows.map(({ addr, amount }) => ({ addr, amount: amount / 2n })),
    },
    { code: `rows = _append(rows, ${added.addr}, ${added.amount});`, act: (rows) => [...rows, added] },
    { code: "rows = _without(rows);", act: (rows) => rows.slice(0, -1) },
    {
      code: `if (rows.length > 0) rows[0].addr = ${added.addr};`,
      act: (rows) => rows.map(({ addr, amount }, i) => ({ addr: i === 0 ? added.addr : addr, amount })),
    },
  ];
  return random.pick(statements);
}

function randomRowCheck(random: SeededRandom): RowCheck {
  const number = BigInt(5 + random.below(9));
  const checks: readonly RowCheck[] = [
    { code: `amount % ${number} == 1`, refuses: (_run, _stage, { amount }) => amount % number === 1n },
    { code: `!outside.allows(amount, ${number})`, refuses: (_run, _stage, { amount }) => amount % number === 2n },
    {
      code: `_scoreOf(stage, addr) / 2 > amount`,
      refuses: ({ model }, stage, { addr, amount }) =>
        (model.stages.get(stage)?.scores.get(modelId(model, addr)) ?? 0n) / 2n > amount,
    },
    {
      code: `getStage(stage).scoreCount == ${number}`,
      refuses: ({ model }, stage) => BigInt(model.stages.get(stage)?.scores.size ?? 0) === number,
    },
  ];
  return random.pick(checks);
}
