import { spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runProgram } from "../runProgram.ts";
import { programNames } from "./buildPrograms.ts";

// A chain starts within a second; one that hangs must fail instead of blocking the release.
const boundMs = 120_000;

/**
 * Unpacks the package into an empty folder and starts each program with an empty environment: it has to answer, with the
 * libraries beside it, and to stop cleanly. `vipnode-move` also has to build and test the scoring contract of the checkout in the
 * current folder, without Go.
 *
 * @throws Error naming the program and what it printed.
 */
export async function smokeTest(tarball: string, folder: string): Promise<void> {
  await runProgram("tar", ["-xzf", tarball], folder);
  const bin = join(folder, "package", "bin");
  for (const name of programNames) await startAndStop(name, bin, folder);
  for (const part of ["Move.toml", "sources"])
    cpSync(join("contracts/move", part), join(folder, part), { recursive: true });
  for (const action of ["build", "test"]) {
    await runProgram(join(bin, "vipnode-move"), [action, ".", "--named-address", "vip_score=0xa0"], folder, {});
  }
}

async function startAndStop(name: string, bin: string, folder: string): Promise<void> {
  const child = spawn(join(bin, name), ["start", "--ephemeral"], {
    cwd: folder,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    timeout: boundMs,
  });
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (status, signal) => resolve(signal ?? `status ${status}`));
  });
  let restUrl: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    restUrl ??= /^ready rest=(http:\/\/127\.0\.0\.1:\d+) /.exec(line)?.[1];
    if (restUrl !== undefined) break;
  }
  if (restUrl === undefined) throw new Error(`${name} ended with ${await ended}: ${printed}`);
  const response = await fetch(`${restUrl}/cosmos/base/tendermint/v1beta1/node_info`);
  const others = librariesElsewhere(child.pid, bin);
  child.kill("SIGTERM");
  const end = await ended;
  if (!response.ok) throw new Error(`${name} answered with status ${response.status}`);
  if (others.length > 0) throw new Error(`${name} loaded ${others.join(", ")}`);
  if (end !== "status 0") throw new Error(`${name} stopped with ${end}: ${printed}`);
  console.log(`${name}: started, answered, stopped`);
}

/** The VM libraries that a process loaded from any other folder; Linux shows them. */
function librariesElsewhere(pid: number | undefined, bin: string): readonly string[] {
  if (process.platform !== "linux") return [];
  const maps = readFileSync(`/proc/${pid}/maps`, "utf8");
  const loaded = new Set(
    [...maps.matchAll(/ (\/\S*\/lib(?:movevm|compiler|wasmvm)\S*)$/gm)].map(([, path = ""]) => path),
  );
  if (loaded.size === 0) throw new Error(`process ${pid} loaded no VM`);
  return [...loaded].filter((path) => !path.startsWith(`${bin}/`));
}
