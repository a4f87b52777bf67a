import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { readScores } from "@vipscore/core";
import { parseManifest } from "@vipscore/core/manifest";

/**
 * A program that writes scores and their manifest as `score run` does, and kills itself before one of its calls of the file
 * system: `writeScoresUntil <csv> <manifest> <call>`. Calls count from 0; without that many, it ends.
 */
const [, , csv = "", manifest = "", last] = process.argv;
const table = await readScores(csv, { accountBytes: [20], format: "csv" });
const evidence = parseManifest(await files.readFile(manifest, "utf8"), manifest);

let calls = 0;
function counted<Given extends unknown[], Result>(call: (...given: Given) => Result): (...given: Given) => Result {
  return (...given) => {
    if (calls === Number(last)) process.kill(process.pid, "SIGKILL");
    calls += 1;
    return call(...given);
  };
}
files.lstat = counted(files.lstat) as typeof files.lstat;
files.rename = counted(files.rename);
files.rm = counted(files.rm);
files.writeFile = counted(files.writeFile);
syncBuiltinESMExports();

const { refuseExistingScores, writeScores } = await import("../src/evidence/writeScores.ts");
await refuseExistingScores("scores.csv", "scores.csv");
await writeScores("scores.csv", "scores.csv", table, evidence);
