import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { buildProgram, loadCommand } from "../../../packages/cli/src/buildProgram.ts";
import type { Context } from "../../../packages/cli/src/context.ts";
import { Output } from "../../../packages/cli/src/output/output.ts";
import { Scrubber } from "../../../packages/cli/src/output/scrubber.ts";
import { configSchema } from "../../../packages/cli/src/settings/configSchema.ts";
import { proposalSchema } from "../../../packages/l1/src/proposal/proposalFile.ts";
import { policySchema } from "../../../packages/policy/src/files/readPolicy.ts";
import { outputSchema } from "./outputSchema.ts";
import { docs } from "./sidebar.ts";

const docsFolder = join(docs, "cli");

/** Ends the generated part of a page; the text after it is written by hand and kept. */
const marker = "<!-- Generated above by `npm run docs:cli`; write below. -->";

/** The page with all commands. */
const indexPage = "README.md";
/** The JSON Schemas in the package of the command. */
const schemas = {
  "vipscore.config": configSchema,
  proposal: proposalSchema,
  policy: policySchema,
  output: outputSchema,
};
/** Groups of options that many commands share, described once on the index page. */
const sharedGroups = ["Connection:", "Output:"];

/** Of the version of commander that the command has. */
type Command = ReturnType<typeof buildProgram>;
type Option = Command["options"][number];

/** A page's current and expected content. */
interface CliPage {
  readonly path: string;
  /** Undefined if the file is missing. */
  readonly found: string | undefined;
  /** Undefined if the command no longer exists. */
  readonly wanted: string | undefined;
}

/**
 * Returns all generated pages of `docs/cli`, each with the text after its marker, and the schemas. Skips
 * pages without a marker: they are written by hand.
 */
export async function readCliPages(): Promise<readonly CliPage[]> {
  const generated = await renderCliPages();
  const names = new Set([...generated.keys(), ...(await readdir(docsFolder))]);
  const pages = await Promise.all(
    [...names].map(async (name): Promise<CliPage | undefined> => {
      const path = join(docsFolder, name);
      const found = await readFile(path, "utf8").catch(() => undefined);
      const [, byHand] = found?.split(marker) ?? [];
      const head = generated.get(name);
      if (head === undefined) return byHand === undefined ? undefined : { path, found, wanted: undefined };
      // Prettier would look for plugins in the current folder, and Markdown needs none.
      const options = { ...(await resolveConfig(path)), plugins: [], filepath: path };
      return {
        path,
        found,
        wanted: await format(`${head}\n${marker}\n${byHand ?? ""}`, options),
      };
    }),
  );
  return [
    ...pages.filter((page) => page !== undefined),
    ...(await Promise.all(Object.entries(schemas).map(readSchema))),
  ];
}

async function readSchema([name, schema]: readonly [string, () => object]): Promise<CliPage> {
  const path = join(docs, `../packages/cli/${name}.schema.json`);
  const options = { ...(await resolveConfig(path)), plugins: [], parser: "json" };
  return {
    path,
    found: await readFile(path, "utf8").catch(() => undefined),
    wanted: await format(JSON.stringify(schema()), options),
  };
}

/** Returns the generated part of each page of `docs/cli` by file name: one for each command, and the index. */
async function renderCliPages(): Promise<ReadonlyMap<string, string>> {
  const program = await openProgram();
  const pages = new Map([[indexPage, renderIndex(program)]]);
  for (const command of program.commands) pages.set(`${command.name()}.md`, renderCommand(command));
  return pages;
}

/** Returns the parser for its help texts, with every command loaded: they have nothing to work with. */
export async function openProgram(): Promise<Command> {
  const { stdin, stdout, stderr } = process;
  const io = { stdin, stdout, stderr, env: {}, cwd: process.cwd(), signal: new AbortController().signal };
  const scrubber = new Scrubber();
  const context: Context = {
    io,
    signal: io.signal,
    output: new Output(io, { json: false, scrubber }),
    scrubber,
    operands: [],
    atEnd: () => undefined,
    endWith: () => undefined,
    unsent: () => undefined,
  };
  const program = buildProgram(context);
  await Promise.all(program.commands.map((command) => loadCommand(command, context)));
  return program;
}

function renderIndex(program: Command): string {
  const helper = program.createHelp();
  const all = [...program.commands];
  const groups = helper.groupItems(all, all, (command) => command.helpGroup());
  const commands = [...groups].flatMap(([group, members]) => [
    `## ${group.slice(0, -1)}`,
    table(
      ["command", "what it does"],
      members.map((command) => [`[\`${command.name()}\`](${command.name()}.md)`, command.description()]),
    ),
  ]);
  const shared = sharedGroups.flatMap((group) => [
    `### ${group.slice(0, -1)}`,
    table(["option", "meaning"], optionRows(program, sharedOptions(program, group))),
  ]);
  return blocks([
    "# Commands",
    program.description(),
    ...commands,
    "`vipscore COMMAND --help` shows the same in a terminal.",
    "## Shared options",
    ...shared,
  ]);
}

/** Returns the options of a group across all commands. */
function sharedOptions(command: Command, group: string): readonly Option[] {
  const found = new Map<string, Option>();
  for (const option of command.options) {
    if (option.helpGroupHeading === group) found.set(option.flags, option);
  }
  for (const child of command.commands) {
    // The first command's words: a later one may have its own.
    for (const option of sharedOptions(child, group)) if (!found.has(option.flags)) found.set(option.flags, option);
  }
  return [...found.values()];
}

/** What a page says of earlier subcommands, or of all: it is not repeated. */
interface Said {
  readonly notes: readonly string[];
  /** The options' rows. */
  readonly rows: Set<string>;
  /** Lists of shared options, each with the first command that takes these. */
  readonly shared: Map<string, string>;
}

function renderCommand(command: Command): string {
  const heading = `# vipscore ${command.name()}`;
  const [first = [], ...others] = command.commands.map((child) => readNotes(child).notes);
  const notes = first.filter((note) => others.every((other) => other.includes(note)));
  const said: Said = { notes, rows: new Set(), shared: new Map() };
  if (command.commands.length === 0) return blocks([heading, ...describe(command, said)]);
  const children = command.commands.flatMap((child) => [
    `## vipscore ${command.name()} ${child.name()}`,
    ...describe(child, said),
  ]);
  return blocks([heading, sentence(command.description()), ...notes, ...children]);
}

/** Returns a command's description, usage, notes and options. */
function describe(command: Command, said: Said): readonly string[] {
  const own = [...withoutGroup(command.options), ...command.options.filter(isOfOwnGroup)];
  const rowOf = (option: Option): string => optionRows(command, [option]).join();
  const repeated = own.filter((option) => said.rows.has(rowOf(option)));
  const fresh = own.filter((option) => !repeated.includes(option));
  for (const option of fresh) said.rows.add(rowOf(option));
  const { notes, examples } = readNotes(command);
  const usage = command.createHelp().commandUsage(command).replaceAll(/\n +/g, "\n");
  return [
    sentence(command.description()),
    ["```", usage, "```"].join("\n"),
    ...notes.filter((note) => !said.notes.includes(note)),
    ...(examples.length === 0 ? [] : [["```", ...examples, "```"].join("\n")]),
    ...(fresh.length === 0 ? [] : [table(["option", "meaning"], optionRows(command, fresh))]),
    ...alsoTakes(command, repeated, said),
  ];
}

/** Returns the sentence that names options described elsewhere: above on the page, and on the index page. */
function alsoTakes(command: Command, repeated: readonly Option[], said: Said): readonly string[] {
  const namesOf = (options: readonly Option[]): string =>
    options.map((option) => `\`${option.long ?? option.flags}\``).join(", ");
  const link = "[shared options](README.md#shared-options)";
  const shared = namesOf(
    sharedGroups.flatMap((group) => command.options.filter((option) => option.helpGroupHeading === group)),
  );
  const before = said.shared.get(shared);
  if (before === undefined) said.shared.set(shared, `${command.parent?.name()} ${command.name()}`);
  const parts = [
    ...(repeated.length === 0 ? [] : [`${namesOf(repeated)} as above`]),
    ...(shared === "" ? [] : [before === undefined ? `${link}: ${shared}` : `the ${link} of \`${before}\``]),
  ];
  return parts.length === 0 ? [] : [`Also takes ${parts.join(", and ")}.`];
}

function withoutGroup(options: readonly Option[]): readonly Option[] {
  return options.filter((option) => option.helpGroupHeading === undefined);
}

function isOfOwnGroup({ helpGroupHeading: group }: Option): boolean {
  return group !== undefined && !sharedGroups.includes(group);
}

/** The text after the options in a command's help: paragraphs, and the lines of its examples. */
function readNotes(command: Command): { readonly notes: readonly string[]; readonly examples: readonly string[] } {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const text = help.slice(command.helpInformation().length);
  const [notes = "", examples = ""] = text.split(/^Examples?:$/m);
  return {
    notes: notes
      .split("\n\n")
      .map((note) => withoutTags(note.trim()))
      .filter((note) => note !== ""),
    examples: examples
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  };
}

function optionRows(command: Command, options: readonly Option[]): readonly (readonly string[])[] {
  const helper = command.createHelp();
  return options.map((option) => [`\`${helper.optionTerm(option)}\``, withoutTags(helper.optionDescription(option))]);
}

/** Escapes what Markdown would take for HTML, and not show: `<file>`. */
function withoutTags(text: string): string {
  return text.replaceAll(/<(?=[a-z])/g, "\\<");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

function blocks(texts: readonly string[]): string {
  return `${texts.join("\n\n")}\n`;
}
