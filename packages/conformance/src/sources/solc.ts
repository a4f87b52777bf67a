import { createRequire } from "node:module";
import { InputError } from "@vipscore/core";
import { oldestSolc, refuseKnownBugs } from "./solcBugs.ts";

const require = createRequire(import.meta.url);

export interface SolcInput {
  readonly language: string;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The parts of solc's output that the checks read. */
export interface SolcOutput {
  readonly errors?: readonly {
    readonly severity: string;
    readonly errorCode?: string;
    readonly formattedMessage: string;
    readonly sourceLocation?: { readonly file: string; readonly start: number };
  }[];
  readonly sources?: Readonly<Record<string, { readonly ast: unknown }>>;
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>>
  >;
}

export interface Solc {
  readonly version: string;
  readonly compile: (input: SolcInput) => SolcOutput;
}

/**
 * Loads the installed npm package `solc`, which must be the `named` version, with or without its commit (undefined: any), and
 * have no known bug with these settings.
 */
export function loadSolc(named: string | undefined, settings: SolcInput["settings"]): Solc {
  // Before its installation is advised.
  if (named !== undefined) refuseKnownBugs(named, settings);
  const [, short = oldestSolc] = /^(\d+\.\d+\.\d+)/.exec(named ?? "") ?? [];
  const metaMessages = [`Install it next to vipscore: npm install solc@${short}`];
  const solc = requireSolc(metaMessages);
  const version = shortVersion(solc.version());
  if (named !== undefined && shortVersion(named) !== version && !version.startsWith(`${named}+`)) {
    throw new InputError(`the sources name solc ${named}, and solc ${version} is installed`, { metaMessages });
  }
  refuseKnownBugs(version, settings);
  return { version, compile: (input) => JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput };
}

/** Without the platform: every build of a version compiles to the same code. */
function shortVersion(version: string): string {
  return version.replace(/\.Emscripten.*$/, "");
}

function requireSolc(metaMessages: readonly string[]): { version: () => string; compile: (input: string) => string } {
  try {
    return require("solc") as ReturnType<typeof requireSolc>;
  } catch (cause) {
    throw new InputError("the package solc is not installed; it compiles the sources", {
      code: "PACKAGE_MISSING",
      metaMessages,
      cause,
    });
  }
}
