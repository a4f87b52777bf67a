/** A command of a guide. */
export interface GuideCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The exit status that the guide names, 0 by default. */
  readonly status: number;
  /** The file that stdout goes to. */
  readonly stdoutFile: string | undefined;
  /** The line as it is in the guide. */
  readonly line: string;
}

/** A section of a guide. */
export interface GuideSection {
  readonly title: string;
  readonly text: string;
  /** The commands of its `sh` blocks. */
  readonly commands: readonly GuideCommand[];
}

/** Reads sections of a guide. @param titles Default: those with a number. */
export function readGuide(
  markdown: string,
  variables: Readonly<Record<string, string>>,
  titles = /^\d+\. /,
): readonly GuideSection[] {
  return markdown
    .split(/^## /m)
    .filter((text) => titles.test(text))
    .map((text) => ({
      title: text.slice(0, text.indexOf("\n")),
      text,
      commands: blocksOf(text, "sh")
        .flatMap((block) => block.split("\n"))
        .map((line) => parseCommand(line, variables)),
    }));
}

/** The blocks of a text in a language, in order. */
export function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)\n```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , body = ""]) => body);
}

/** Understands what the guides use: words, `$NAME`, `> file`, and a comment: the exit status, or "practice only". */
function parseCommand(line: string, variables: Readonly<Record<string, string>>): GuideCommand {
  const [text = "", comment] = line.split(" # ");
  const status = comment === "practice only" ? 0 : Number(/^exit status (\d)$/.exec(comment ?? "exit status 0")?.[1]);
  if (Number.isNaN(status) || /["'`\\;|&]/.test(text)) throw new Error(`not a command this test understands: ${line}`);
  const [command = "", stdoutFile] = text.split(" > ");
  const [program = "", ...args] = command.split(" ").map((word) => {
    if (!word.startsWith("$")) return word;
    const value = variables[word.slice(1)];
    if (value === undefined) throw new Error(`no value for ${word} in: ${line}`);
    return value;
  });
  return { program, args, status, stdoutFile, line };
}
