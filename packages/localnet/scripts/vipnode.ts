/**
 * Runs vipnode-move or vipnode-wasm with the given arguments, building it first if needed: `npm run vipnode -- move
 * test contracts/move`. `build` alone builds both.
 */
import { spawn } from "node:child_process";
import { buildVipnodes, vipnodeBuildNotes, type BuildScreen, type VipnodeVm } from "@vipscore/localnet";

const vms: readonly VipnodeVm[] = ["move", "wasm"];

const screen: BuildScreen = {
  isTerminal: false,
  note: (text) => console.error(text),
  showTransient: () => undefined,
};

function build(needed: readonly VipnodeVm[]): Promise<readonly string[]> {
  return buildVipnodes({ vms: needed, onProgress: vipnodeBuildNotes(needed, screen) });
}

function run(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: "inherit" });
  // Signals from the terminal reach the program directly; signals to this process are passed on.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
}

const [first, ...args] = process.argv.slice(2);
const vm = vms.find((known) => known === first);
if (vm !== undefined) {
  const [program = ""] = await build([vm]);
  process.exitCode = await run(program, args);
} else if (first === "build" && args.length === 0) {
  for (const program of await build(vms)) console.log(program);
} else {
  console.error(`usage: vipnode ${vms.join("|")} ARGUMENTS, or vipnode build`);
  process.exitCode = 2;
}
