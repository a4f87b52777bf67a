import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { run, type OutputStream } from "@vipscore/cli";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { startHardhat } from "@vipscore/localnet";
import { drawTerminalSvg } from "./terminalSvg.ts";

/**
 * Writes `docs/push.svg`: what a terminal shows of a first and a second push of 10,000 rows to a local EVM chain. Every
 * character comes from the command, except the prompts. The last progress line, which the terminal erases, stays.
 */
const pictureFile = join(import.meta.dirname, "../../../docs/push.svg");
const columns = 112;
const rows = 10_000;

class Terminal implements OutputStream {
  readonly isTTY = true;
  readonly columns = columns;
  text = "";

  write(text: string): void {
    this.text += text;
  }
}

/** Runs a command in a terminal that shows the prompt first. */
async function runInTerminal(terminal: Terminal, cwd: string, args: readonly string[]): Promise<void> {
  terminal.write(`\u001b[32m$\u001b[39m \u001b[1mvipscore ${args.join(" ")}\u001b[22m\n`);
  const { signal } = new AbortController();
  const stdin = new PassThrough();
  const status = await run(args, { stdin, stdout: terminal, stderr: terminal, env: {}, cwd, signal });
  if (status !== 0) throw new Error(`vipscore ${args.join(" ")} ended with ${status}: ${terminal.text}`);
}

/** Ends the last progress line with a line feed, so that the next line does not replace it. */
function keepProgress(text: string): string {
  return text.replace("\r\u001b[2Kverifying", "\n\r\u001b[2Kverifying");
}

/** Scores from 100 to 999 that look like a season's, the same in every run. */
function scoresCsv(): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const address = `0x${(0x1d8e31d5071bb407n + BigInt(row) * 0x9e3779b97f4a7c15n).toString(16).padStart(40, "0")}`;
    return `${address},${100 + ((row * 7919) % 900)}`;
  });
  return `address,score\n${lines.join("\n")}\n`;
}

const cwd = await mkdtemp(join(tmpdir(), "vipscore-picture-"));
const node = await startHardhat({ blockTimeMs: 500 });
try {
  await writeNodeFile(cwd, node);
  await writeFile(join(cwd, "scores.csv"), scoresCsv());
  // The deployment is not part of the picture.
  await runInTerminal(new Terminal(), cwd, ["deploy", "--init-stage", "1"]);
  const terminal = new Terminal();
  await runInTerminal(terminal, cwd, ["push", "scores.csv", "--stage", "1"]);
  terminal.text = `${keepProgress(terminal.text)}\n`;
  await runInTerminal(terminal, cwd, ["push", "scores.csv", "--stage", "1"]);
  const label = `vipscore push writes ${rows} scores in a terminal and verifies them; a second push has nothing to do`;
  await writeFile(pictureFile, drawTerminalSvg(terminal.text, { columns, title: "vipscore push", label }));
} finally {
  await node.stop();
  await rm(cwd, { recursive: true, force: true });
}
