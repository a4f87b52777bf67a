import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { checkSources, publishedCode, type ContractCode } from "../src/index.ts";
import { loadSolc } from "../src/sources/solc.ts";
import { folderOf } from "./changedCode.ts";

const require = createRequire(join(folderOf("evm"), "package.json"));
const solc = loadSolc(undefined);
const folder = temporaryFolder();

/** An optimizer that takes a third of the time. */
const quick = {
  viaIR: true,
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps: "u" } } },
};

interface Project {
  readonly file: string;
  readonly code: ContractCode;
  readonly input: { readonly settings: object };
}

/** Adds a file with all that it imports, by the names that Hardhat gives the files of packages. */
function addWithImports(sources: Map<string, { content: string }>, name: string): void {
  if (sources.has(`npm/${name}`)) return;
  const path = name.replace("@vipscore/contracts-evm", folderOf("evm"));
  const content = readFileSync(path === name ? require.resolve(name) : path, "utf8");
  sources.set(`npm/${name}`, { content });
  for (const [, imported = ""] of content.matchAll(/\bfrom "(.+)";/g)) {
    addWithImports(sources, imported.startsWith(".") ? join(dirname(name), imported) : imported);
  }
}

/** Compiles `Child` of `Child.sol`, and writes the build information. */
async function project(
  name: string,
  child: string,
  change: (sources: Map<string, { content: string }>) => void = () => undefined,
): Promise<Project> {
  const sources = new Map<string, { content: string }>();
  addWithImports(sources, "@vipscore/contracts-evm/src/RowHooks.sol");
  sources.set("Child.sol", { content: `pragma solidity ^0.8.24;\n${child}` });
  change(sources);
  const settings = { ...quick, remappings: ["@vipscore/=npm/@vipscore/", "@openzeppelin/=npm/@openzeppelin/"] };
  const input = { language: "Solidity", sources: Object.fromEntries(sources), settings };
  const outputSelection = { "Child.sol": { Child: ["evm.bytecode.object"] } };
  const output = solc.compile({ ...input, settings: { ...settings, outputSelection } });
  const hex = output.contracts?.["Child.sol"]?.["Child"]?.evm.bytecode.object;
  if (hex === undefined) throw new Error(output.errors?.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ solcVersion: solc.version.split("+")[0], input }));
  return { file, code: { vm: "evm", abi: [], bytes: Buffer.from(hex, "hex") }, input };
}

const rowHooks = 'import {RowHooks} from "@vipscore/contracts-evm/src/RowHooks.sol";';
const vipScore = 'import "@vipscore/contracts-evm/src/VipScore.sol";';
const constructed = "constructor(uint64 stage) VipScore(stage)";

describe("a child that cannot reach private storage", () => {
  let clean: Project;
  beforeAll(async () => {
    clean = await project(
      "clean",
      `${rowHooks}
import {VipScore} from "@vipscore/contracts-evm/src/VipScore.sol";
contract Child is RowHooks {
  mapping(uint64 stage => uint64[]) private _seen;
  ${constructed} {}
  function _rowsToWrite(uint64 stage, Row[] memory rows) internal override returns (Row[] memory) {
    _seen[stage].push(rows[0].amount);
    (bool isDone, ) = rows[0].addr.call{value: 1}("");
    require(isDone);
    return rows;
  }
}`,
    );
  });

  test("is safe by construction, and the report names what that rests on", async () => {
    expect(await checkSources(clean.file, clean.code)).toEqual({
      holds: true,
      restsOn: [
        expect.stringMatching(/^solc 0\.8\.\d+\S* .*\bChild\b.*\bclean\.json\b/),
        expect.stringMatching(/^9 files\b.*\b\d+ files\b.*@vipscore\/contracts-evm \d/),
        "no assembly, delegatecall, selfdestruct or huge array in Child.sol",
      ],
      toRead: [],
    });
  });

  test.each<[string, (input: Project["input"]) => object, RegExp]>([
    [
      "settings",
      (input) => ({ ...input, settings: { ...input.settings, evmVersion: "prague" } }),
      /\binherits VipScore\b.*\bartifact\b/,
    ],
    ["compiler", (input) => ({ solcVersion: "0.8.24", input }), /\bsolc 0\.8\.24\b.*\bsolc 0\.8\.\d+\S* is installed/],
    ["language", (input) => ({ ...input, language: "Yul" }), /\bnot\b.*\binput\b/],
  ])("of which the file has another %s is an error", async (name, change, message) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(change(clean.input)));
    await expect(checkSources(file, clean.code)).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("a plain input without a version is taken", async () => {
    const file = join(folder, "plain.json");
    await writeFile(file, JSON.stringify(clean.input));
    expect(await checkSources(file, clean.code)).toMatchObject({ holds: true });
  });
});

test("each place that can reach private storage is listed, also behind a library that ours bring", async () => {
  const { file, code } = await project(
    "dangers",
    `${vipScore}
import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
library Notes { function note(uint256[] storage notes) external { notes.push(1); } }
contract Child is VipScore {
  uint256[2 ** 255] private _all;
  mapping(uint256 => uint256[2 ** 40][2 ** 40]) private _more;
  uint256[] private _notes;
  ${constructed} {}
  function store(bytes32 slot, uint256 word) external { assembly { sstore(slot, word) } }
  function run(address code) external { (bool isDone, ) = code.delegatecall{gas: 50_000}(""); require(isDone); }
  function end() external { selfdestruct(payable(msg.sender)); }
  function set(bytes32 slot) external { StorageSlot.getUint256Slot(slot).value = 1; }
  function raise(uint256 index) external { ++_all[index]; ++_more[0][index][index]; }
}
contract Other is VipScore { ${constructed} {} uint256[] private _notes;
  function note() external { Notes.note(_notes); } }`,
  );
  const { holds, restsOn, toRead } = await checkSources(file, code);
  expect({ holds, restsOn }).toEqual({ holds: false, restsOn: [] });
  const slots = "a variable of 2^64 slots or more, which can reach any slot";
  expect(toRead.map((line) => line.replace(/^npm\/.*\/StorageSlot\.sol:\d+/, "StorageSlot.sol")).toSorted()).toEqual(
    [
      "Child.sol:10: inline assembly",
      "Child.sol:11: delegatecall",
      "Child.sol:12: selfdestruct",
      "Child.sol:17: an external function of a library, which runs by delegatecall",
      `Child.sol:6: ${slots}`,
      `Child.sol:7: ${slots}`,
      "StorageSlot.sol: inline assembly",
    ].toSorted(),
  );
});

test("a file of the library that was changed is listed", async () => {
  const stage = "npm/@vipscore/contracts-evm/src/Stage.sol";
  const { file, code } = await project(
    "changed",
    `${vipScore}\ncontract Child is VipScore { ${constructed} {} }`,
    (sources) => {
      sources.set(stage, { content: `${sources.get(stage)?.content}// changed\n` });
    },
  );
  const { holds, toRead } = await checkSources(file, code);
  expect(holds).toBe(false);
  expect(toRead).toContainEqual(
    expect.stringMatching(/^npm\S+\/Stage\.sol: .*\bStage\.sol\b.*@vipscore\/contracts-evm /),
  );
});

test("a changed copy of VipScore under another name is not the published one", async () => {
  const { file, code } = await project(
    "copied",
    'import "lib/Score.sol";\ncontract Child is VipScore { ' + constructed + " {} }",
    (sources) => {
      const content = sources.get("npm/@vipscore/contracts-evm/src/VipScore.sol")?.content ?? "";
      const moved = content
        .replaceAll('"./', '"@vipscore/contracts-evm/src/')
        .replace("info.isFinalized)", "info.isFinalized && stage != 7)");
      sources.set("lib/Score.sol", { content: moved });
    },
  );
  const { holds, toRead } = await checkSources(file, code);
  expect({ holds, toRead }).toEqual({
    holds: false,
    toRead: ["Child.sol: Child does not inherit the published VipScore"],
  });
});

test.each([
  ["in a file with ours", () => undefined, /\binherits VipScore\b.*\bartifact\b/],
  ["in a file of its own", deleteOurs, /\binherits VipScore\b.*@vipscore/],
])(
  "a contract that inherits nothing of ours is an error, %s: nothing would be checked",
  async (name, change, message) => {
    const { file, code } = await project(name, "contract Child { uint256 public score; }", change);
    await expect(checkSources(file, code)).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringMatching(message),
    });
  },
);

function deleteOurs(sources: Map<string, unknown>): void {
  for (const name of sources.keys()) if (name !== "Child.sol") sources.delete(name);
}

test("without a path there is nothing to check", async () => {
  await expect(checkSources(undefined, await publishedCode("evm"))).rejects.toMatchObject({ code: "INPUT_INVALID" });
});
