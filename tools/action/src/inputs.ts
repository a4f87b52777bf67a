const commands = ["plan", "push", "finalize", "plan-deploy", "deploy"] as const;

export interface Inputs {
  readonly command: (typeof commands)[number];
  /** A number, or `auto`. */
  readonly stage: string;
  readonly file: string;
  readonly manifest: string;
  readonly members: readonly string[];
  readonly finalizer: string;
  readonly owner: string;
}

/**
 * Reads the inputs from the environment. The endpoints and the key stay there: the command reads them itself.
 *
 * @throws Error when an input is missing or not of its form.
 */
export function readInputs(env: NodeJS.ProcessEnv): Inputs {
  const { INPUT_STAGE: stage = "", INPUT_FILE: file = "", INPUT_MANIFEST: manifest = "" } = env;
  const { INPUT_MEMBERS: members = "", INPUT_FINALIZER: finalizer = "", INPUT_OWNER: owner = "" } = env;
  const command = commands.find((each) => each === env["INPUT_COMMAND"]);
  if (command === undefined) throw new Error(`command must be one of ${commands.join(", ")}`);
  if (stage !== "auto" && !/^[1-9]\d*$/.test(stage)) throw new Error("stage must be auto or a number, 1 or higher");
  if (file === "" && !isOfDeployment(command)) throw new Error("file is missing");
  return { command, stage, file, manifest, members: members.split(/\s+/).filter(Boolean), finalizer, owner };
}

/** True for a command that deploys, or shows what it would. */
export function isOfDeployment(command: Inputs["command"]): boolean {
  return command === "deploy" || command === "plan-deploy";
}

/**
 * Returns the stage that `auto` means at a stage of L1: only a stage that L1 has left is finalized, and L1 expects a new contract
 * to start at the next one.
 */
export function stageAt(l1Stage: string, { command }: Inputs): string {
  const stage = BigInt(l1Stage) + (isOfDeployment(command) ? 1n : command === "finalize" ? -1n : 0n);
  if (stage < 1n) throw new Error(`L1 is at stage ${l1Stage}: there is no stage to ${command}`);
  return `${stage}`;
}

/** Returns the arguments of `vipscore` for a command that sends. No input can add an option. */
export function sendingArgs(inputs: Inputs): readonly string[] {
  const { command, stage, file, manifest } = inputs;
  if (isOfDeployment(command)) return deployArgs(inputs);
  const more = ["--json", ...(manifest === "" ? [] : [`--manifest=${manifest}`])];
  if (command === "finalize") return ["finalize", `--stage=${stage}`, `--file=${file}`, "--yes", ...more];
  return ["push", `--stage=${stage}`, ...more, "--", file];
}

function deployArgs({ command, stage, members, finalizer, owner }: Inputs): readonly string[] {
  const roles = [["member", ...members] as const, ["finalizer", finalizer] as const, ["owner", owner] as const];
  const named = roles.flatMap(([name, ...accounts]) =>
    accounts.flatMap((account) => (account === "" ? [] : [`--${name}=${account}`])),
  );
  return ["deploy", `--init-stage=${stage}`, ...named, ...(command === "deploy" ? [] : ["--dry-run"]), "--json"];
}
