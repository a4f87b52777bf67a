/**
 * Runs vipnode-move or vipnode-wasm with the given arguments, built first where needed:
 * `npm run vipnode -- move test contracts/move`. With `build` and no more, builds both.
 */
import { spawn } from "node:child_process";
import { buildVipnode, type VipnodeVm } from "@vipscore/localnet";

const vms: readonly VipnodeVm[] = ["move", "wasm"];

function build(vm: VipnodeVm): Promise<string> {
  let told = -1;
  return buildVipnode({
    vm,
    onProgress: ({ compiled, packages }) => {
      const hundreds = Math.floor(compiled / 100);
      if (hundreds > told) console.error(`building vipnode-${vm}   ${compiled} of ${packages} packages`);
      told = Math.max(told, hundreds);
    },
  });
}

function run(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: "inherit" });
  // A signal of the terminal reaches the program itself, and one for this process alone is passed on.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve(status ?? 1));
  });
}

const [first, ...args] = process.argv.slice(2);
const vm = vms.find((known) => known === first);
if (vm !== undefined) process.exitCode = await run(await build(vm), args);
else if (first === "build" && args.length === 0) for (const each of vms) console.log(await build(each));
else {
  console.error(`usage: vipnode ${vms.join("|")} ARGUMENTS, or vipnode build`);
  process.exitCode = 2;
}
