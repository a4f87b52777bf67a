import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { VipError } from "@vipscore/core";
import { nodeEnvironment } from "../nodeEnvironment.ts";

const run = promisify(execFile);

/** The oldest Go that builds vipnode, as in `go.mod`. */
const oldestMinor = 23;

/**
 * Returns the Go version on this machine as `go version` prints it, e.g. `go version go1.26.8 linux/amd64`.
 * @throws CONFIG_INVALID if Go is missing or too old or there is no C compiler; lists everything missing.
 */
export async function findGoToolchain(): Promise<string> {
  const version = await outputOf("go", ["version"]);
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(version ?? "") ?? [];
  const isRecent = Number(major) > 1 || Number(minor) >= oldestMinor;
  const wanted = `Go 1.${oldestMinor} or newer`;
  const missing: string[] = [];
  if (version === undefined) missing.push(`${wanted} is missing`);
  else if (!isRecent) missing.push(`${wanted} is missing, this machine has ${version}`);
  // Like cgo: the compiler in CC, otherwise the default of this Go.
  const compiler = process.env["CC"] ?? (await outputOf("go", ["env", "CC"])) ?? "gcc";
  if ((await outputOf(compiler, ["--version"])) === undefined) missing.push(`a C compiler (${compiler}) is missing`);
  if (version !== undefined && missing.length === 0) return version;
  throw new VipError(`local Move and Wasm chains cannot be built: ${missing.join("; ")}`, {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Install it, or start your own minitiad and name its endpoint with --endpoint: REST on Move, RPC on Wasm.",
    ],
  });
}

/** A program's output, or undefined if it is missing or fails. */
async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run(program, args, { env: nodeEnvironment(process.env) })).stdout.trim();
  } catch {
    return undefined;
  }
}
