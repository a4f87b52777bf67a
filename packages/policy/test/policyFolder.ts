import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openSources, readPolicy, runPolicy, type PolicyResult, type RunPolicyOptions } from "../src/index.ts";

export const alice = "0x8cad25ec80a10522c258e2f59abf0006c9445d1b";
export const bob = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
export const bobBech32 = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";

/** A policy over one table of points. */
export const pointsPolicy = {
  "policy.toml": `name = "points"
version = "1"

[rollup]
chain_id = "rollup-1"

[[source]]
name = "points"
kind = "reference"
file = "points.csv"
columns = { address = "address", points = "integer" }
`,
  "policy.sql": "select address, sum(points)::hugeint as score from points group by address",
  "points.csv": `address,points\n${alice},5\n${bobBech32},7\n${alice},1\n`,
} as const satisfies Readonly<Record<string, string>>;

/** A folder with the files of a policy. */
export interface PolicyFolder extends AsyncDisposable {
  readonly path: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  run(options?: RunPolicyOptions): Promise<PolicyResult>;
}

/** Writes a policy into a new folder: that over points, with other files on top. */
export async function openPolicyFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<PolicyFolder> {
  const path = await mkdtemp(join(tmpdir(), "vipscore-policy-"));
  const folder: PolicyFolder = {
    path,
    write: async (more) => {
      for (const [name, content] of Object.entries(more)) {
        await mkdir(dirname(join(path, name)), { recursive: true });
        await writeFile(join(path, name), content);
      }
    },
    run: async (options) => {
      const policy = await readPolicy(path);
      return runPolicy(policy, openSources(policy), options);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
  await folder.write({ ...pointsPolicy, ...files });
  return folder;
}
