/** The inputs of action.yml. */
export interface Inputs {
  readonly command: "plan" | "push" | "finalize";
  readonly stage: string;
  readonly file: string;
  readonly manifest: string;
}

/**
 * Reads the inputs from the environment. The endpoint and the key stay there: the command reads both itself.
 *
 * @throws Error when an input is missing or not of its form.
 */
export function readInputs(env: NodeJS.ProcessEnv): Inputs {
  const { INPUT_COMMAND: command, INPUT_STAGE: stage = "", INPUT_FILE: file = "", INPUT_MANIFEST: manifest = "" } = env;
  if (command !== "plan" && command !== "push" && command !== "finalize")
    throw new Error("command must be plan, push or finalize");
  if (!/^[1-9]\d*$/.test(stage)) throw new Error("stage must be a number, 1 or higher");
  if (file === "") throw new Error("file is missing");
  return { command, stage, file, manifest };
}

/** Returns the arguments of `vipscore` for a command that sends. No input can add an option. */
export function sendingArgs({ command, stage, file, manifest }: Inputs): readonly string[] {
  const more = manifest === "" ? [] : [`--manifest=${manifest}`];
  if (command === "finalize") return ["finalize", `--stage=${stage}`, `--file=${file}`, "--yes", ...more];
  return ["push", `--stage=${stage}`, ...more, "--", file];
}
