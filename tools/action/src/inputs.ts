/** The inputs of action.yml. */
export interface Inputs {
  readonly command: "plan" | "push" | "finalize";
  /** A number, or `auto`. */
  readonly stage: string;
  readonly file: string;
  readonly manifest: string;
}

/**
 * Reads the inputs from the environment. The endpoints and the key stay there: the command reads them itself.
 *
 * @throws Error when an input is missing or not of its form.
 */
export function readInputs(env: NodeJS.ProcessEnv): Inputs {
  const { INPUT_COMMAND: command, INPUT_STAGE: stage = "", INPUT_FILE: file = "", INPUT_MANIFEST: manifest = "" } = env;
  if (command !== "plan" && command !== "push" && command !== "finalize")
    throw new Error("command must be plan, push or finalize");
  if (stage !== "auto" && !/^[1-9]\d*$/.test(stage)) throw new Error("stage must be auto or a number, 1 or higher");
  if (file === "") throw new Error("file is missing");
  return { command, stage, file, manifest };
}

/** Returns the stage that `auto` means at a stage of L1: only a stage that L1 has left is finalized. */
export function stageAt(l1Stage: string, { command }: Inputs): string {
  const stage = BigInt(l1Stage) - (command === "finalize" ? 1n : 0n);
  if (stage < 1n) throw new Error(`L1 is at stage ${l1Stage}: there is no stage to ${command}`);
  return `${stage}`;
}

/** Returns the arguments of `vipscore` for a command that sends. No input can add an option. */
export function sendingArgs({ command, stage, file, manifest }: Inputs): readonly string[] {
  const more = ["--json", ...(manifest === "" ? [] : [`--manifest=${manifest}`])];
  if (command === "finalize") return ["finalize", `--stage=${stage}`, `--file=${file}`, "--yes", ...more];
  return ["push", `--stage=${stage}`, ...more, "--", file];
}
