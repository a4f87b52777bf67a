import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";

const program = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

const seed = String(fuzzSeed());

/** Result of a run of the demo. */
export interface DemoRun {
  readonly status: number | null;
  /** The object of `--json`; undefined if it printed none. */
  readonly shown: DemoAnswer | undefined;
  readonly stderr: string;
}

/** The fields of `--json` that the tests read. */
interface DemoAnswer {
  readonly seconds: number;
  readonly vms: readonly { readonly vm: string; readonly steps: readonly { readonly step: string }[] }[];
  readonly leftOut: readonly { readonly vm: string; readonly reason: string; readonly hints: readonly string[] }[];
}

/** Runs the demo from source with `--json`, and with settings in the environment that it must not use. */
export async function runDemoProcess(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<DemoRun> {
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", program, "--json", "--seed", seed, ...args], {
    env: {
      PRIVATE_KEY: "not to be used",
      JSON_RPC_URL: "http://127.0.0.1:9",
      INDEXER_URL: "http://127.0.0.1:9",
      ...env,
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, shown: stdout === "" ? undefined : (JSON.parse(stdout) as DemoAnswer), stderr };
}

/** Returns the VMs that a run has shown, each with its steps. */
export function stepsOf({ shown }: DemoRun): readonly (readonly [vm: string, steps: readonly string[]])[] {
  return (shown?.vms ?? []).map(({ vm, steps }) => [vm, steps.map(({ step }) => step)]);
}

/** The steps of a VM. */
export const pushSteps = [
  "deploy",
  "push, killed halfway",
  "push again",
  "nothing twice",
  "verify",
  "finalize another table",
  "finalize",
  "push a changed table",
];
