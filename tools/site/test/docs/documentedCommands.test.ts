import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProgram } from "../../src/cliPages.ts";

type Command = Awaited<ReturnType<typeof openProgram>>;

const root = join(import.meta.dirname, "../../../..");
const folders = [
  ".",
  "docs",
  "docs/cli",
  "docs/ci",
  "packages/cli",
  "packages/demo",
  "packages/indexer",
  "tools/vipnode",
];

/** The command lines in the code blocks of the documentation, each with its place. */
async function listCommandLines(): Promise<readonly (readonly [line: string, place: string])[]> {
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(join(root, folder))).map((name) => join(folder, name))),
  );
  const files = names.flat().filter((path) => path.endsWith(".md"));
  const found = await Promise.all(
    files.map(async (path) => {
      const blocks = (await readFile(join(root, path), "utf8")).matchAll(/^```[^\n]*\n(.*?)^```$/gms);
      const lines = [...blocks].flatMap(([, text = ""]) => text.replaceAll(/\\\n\s*/g, "").split("\n"));
      return lines.flatMap((line) => {
        const [, command] = /^\s*(?:\$ )?(?:vipscore|npx @vipscore\/cli) (.*)$/.exec(line) ?? [];
        return command === undefined || isUsage(command) ? [] : [[command, path] as const];
      });
    }),
  );
  return found.flat();
}

/** The first line of a help text. */
function isUsage(command: string): boolean {
  return command.includes("[options]");
}

/** The words of a line as a shell passes them, up to a comment, a pipe or a file for the output. */
function wordsOf(command: string): readonly string[] {
  const [words = ""] = command.split(/ +(?:#|\||>|2>|&&) ?/);
  return [...words.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** Replaces what each command does, so that parsing a line runs nothing. */
function disarm(command: Command, run: () => void): void {
  for (const each of command.commands) disarm(each, run);
  if (command.commands.length === 0) command.action(run);
}

/** Parses a line as the command does. @throws CommanderError for an option or argument that it does not know. */
async function parse(words: readonly string[]): Promise<boolean> {
  const program = (await openProgram()).configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  let isRun = false;
  disarm(program, () => {
    isRun = true;
  });
  await program.parseAsync([...words], { from: "user" });
  return isRun;
}

const lines = await listCommandLines();

test("the documentation has commands", () => {
  const places = new Set(lines.map(([, place]) => place));
  expect([...places]).toEqual(expect.arrayContaining(["README.md", "docs/operator.md", "docs/cli/push.md"]));
  expect(lines.length).toBeGreaterThan(80);
});

test.each(lines)("vipscore %s   (%s)", async (command) => {
  const words = wordsOf(command);
  if (words.includes("--help") && !words.includes("--")) {
    await expect(parse(words)).rejects.toMatchObject({ code: "commander.helpDisplayed" });
    return;
  }
  expect(await parse(words)).toBe(true);
});

test.each([["push scores.csv --stge 12"], ["push"], ["members sack 0x00"], ["stage 12 13"]])(
  "refuses %s",
  async (command) => {
    await expect(parse(wordsOf(command))).rejects.toThrow();
  },
);
