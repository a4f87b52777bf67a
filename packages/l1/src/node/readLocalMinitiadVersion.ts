import { execFile } from "node:child_process";

/** Maximum time for `minitiad version`, in milliseconds. */
const timeoutMs = 5_000;

/** The `minitiad` of this machine. */
export interface LocalMinitiad {
  /** The version it reports; undefined if it was built without one, fails, or takes longer than five seconds. */
  readonly version: string | undefined;
}

/**
 * Reads the version of the `minitiad` on PATH.
 *
 * @param env environment for the search (PATH) and for the program.
 * @returns undefined if there is no `minitiad` on PATH.
 */
export function readLocalMinitiadVersion(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<LocalMinitiad | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 65_536 } as const;
    execFile("minitiad", ["version"], options, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") resolve(undefined);
      // Some versions of the framework print it to standard error.
      else resolve({ version: error === null ? (firstLine(stdout) ?? firstLine(stderr)) : undefined });
    });
  });
}

function firstLine(text: string): string | undefined {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "");
  return line?.trim();
}
