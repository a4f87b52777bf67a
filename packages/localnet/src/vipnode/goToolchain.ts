import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { VipError } from "@vipscore/core";

const run = promisify(execFile);

/** The oldest Go that builds vipnode; `go.mod` says the same. */
const oldestMinor = 23;

/**
 * The Go on this machine as `go version` spells it, e.g. `go version go1.26.8 linux/amd64`.
 * @throws CONFIG_INVALID with what to install, when there is none or it is too old.
 */
export async function findGo(): Promise<string> {
  let version: string;
  try {
    version = (await run("go", ["version"])).stdout.trim();
  } catch (cause) {
    throw goMissing("Go is not installed here", cause);
  }
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major) > 1 || Number(minor) >= oldestMinor) return version;
  throw goMissing(`this machine has ${version}`);
}

function goMissing(found: string, cause?: unknown): VipError {
  return new VipError(
    `a local Move or Wasm chain is built with Go 1.${oldestMinor} or newer and a C compiler, and ${found}: install them, or start a minitiad of your own and name its endpoint, --rest-url on Move and --rpc-node-url on Wasm`,
    { code: "CONFIG_INVALID", ...(cause === undefined ? {} : { cause }) },
  );
}
