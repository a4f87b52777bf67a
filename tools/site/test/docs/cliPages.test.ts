import { basename } from "node:path";
import { expect, it } from "vitest";
import { openProgram, readCliPages } from "../../src/cliPages.ts";

const pages = await readCliPages();

it.each(pages.map((page) => [`docs/cli/${basename(page.path)}`, page] as const))(
  "%s is what `npm run docs:cli` writes",
  (name, { found, wanted }) => {
    expect(found, `${name} is out of date: run \`npm run docs:cli\``).toBe(wanted);
  },
);

it("the help of the program shows each command as its own help does", async () => {
  const program = await openProgram();
  const help = program.createHelp();
  const plain = Object.getPrototypeOf(help) as typeof help;
  const own = program.commands.map((command) => plain.subcommandTerm(command));
  expect(program.commands.map((command) => help.subcommandTerm(command))).toEqual(own);
});
