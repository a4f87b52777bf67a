/**
 * Runs vipnode-move with the given arguments, built first where needed: `npm run vipnode -- test contracts/move`.
 */
import { spawn } from "node:child_process";
import { buildVipnode } from "@vipscore/localnet";

let told = -1;
const program = await buildVipnode({
  onProgress: ({ compiled, packages }) => {
    const hundreds = Math.floor(compiled / 100);
    if (hundreds > told) console.error(`building vipnode   ${compiled} of ${packages} packages`);
    told = Math.max(told, hundreds);
  },
});
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A signal of the terminal reaches the program itself, and one for this process alone is passed on.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
process.exitCode = await new Promise<number>((resolve, reject) => {
  child.once("error", reject);
  child.once("close", (status) => resolve(status ?? 1));
});
