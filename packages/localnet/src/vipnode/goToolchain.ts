import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";

const run = promisify(execFile);

/** The oldest Go that builds vipnode, as in `go.mod`. */
const oldestMinor = 23;

/** Tools that build vipnode, as error messages name them. */
export const toolchainName = `Go 1.${oldestMinor} or newer and a C compiler`;

/** Tools that this machine has to build vipnode with. */
export type GoToolchain =
  /** As `go version` prints it, e.g. `go version go1.26.8 linux/amd64`. */
  | { readonly version: string }
  /** Everything that is missing, e.g. `Go 1.23 or newer is missing; a C compiler (gcc) is missing`. */
  | { readonly missing: string };

/** Finds Go and the C compiler on this machine. */
export async function findGoToolchain(): Promise<GoToolchain> {
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
  return version !== undefined && missing.length === 0 ? { version } : { missing: missing.join("; ") };
}

/** A program's output, or undefined if it is missing or fails. */
async function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run(program, args, { env: nodeEnvironment(process.env) })).stdout.trim();
  } catch {
    return undefined;
  }
}
