// The tests in Foundry, and what an explorer needs to verify the child contract: it compiles to the same code.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";

const { compile, version } = createRequire(import.meta.url)("solc");
const [long = ""] = /^[^+]*\+commit\.[0-9a-f]{8}/.exec(version());
const [short = ""] = long.split("+");

// Where Foundry keeps the compilers that it has downloaded.
mkdirSync(`data/svm/${short}`, { recursive: true });
chmodSync("solc.js", 0o755);
symlinkSync(`${process.cwd()}/solc.js`, `data/svm/${short}/solc-${short}`);
const forge = (args, more) =>
  execFileSync("node_modules/.bin/forge", args, {
    env: { ...process.env, HOME: process.cwd(), XDG_DATA_HOME: `${process.cwd()}/data`, ...more },
    maxBuffer: 100_000_000,
  }).toString();

console.log(forge(["test"]));

const contract = "evm/contracts/CappedScores.sol";
// Without its cache, forge takes the compiler from the option, and does not look up its commit.
const input = JSON.parse(
  forge(
    [
      ...["verify-contract", "--show-standard-json-input", "--compiler-version", long],
      ...["0x0000000000000000000000000000000000000001", `${contract}:CappedScores`],
    ],
    { FOUNDRY_CACHE_PATH: "no-cache" },
  ),
);
const outputSelection = { [contract]: { CappedScores: ["evm.bytecode.object"] } };
const output = JSON.parse(compile(JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } })));
const { object } = output.contracts[contract].CappedScores.evm.bytecode;
const built = JSON.parse(readFileSync("out/CappedScores.sol/CappedScores.json", "utf8"));
assert.equal(`0x${object}`, built.bytecode.object);
console.log(`${Object.keys(input.sources).length} sources verify ${object.length / 2} bytes`);
