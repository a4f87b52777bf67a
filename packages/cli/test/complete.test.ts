import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { cliCommand, startChild } from "./childCli.ts";

/** What bash-completion, which bash itself lacks, gives the script: the typed words. */
const typedWords = `_get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}"); cur="\${COMP_WORDS[COMP_CWORD]}"; }`;

test("bash completes commands, subcommands, options and their values, and otherwise files", async () => {
  const lines = ["fina", "members rem", "push --stage 1 --form", "push --format j"];
  const complete = lines.map(
    (line) => `COMP_WORDS=(vipscore ${line}); COMP_CWORD=${line.split(" ").length}
      __vipscore_complete; echo "\${COMPREPLY[*]}"`,
  );
  const command = `vipscore() { ${cliCommand.map((word) => `'${word}'`).join(" ")} "$@"; }`;
  const script = [typedWords, command, "source <(vipscore complete bash)", ...complete, "complete -p vipscore"];
  const child = startChild(["bash", "--norc", "-c", script.join("\n")], temporaryFolder());
  expect(await child.ended).toBe(0);
  expect(child.output.stdout.split("\n")).toEqual([
    "finalize",
    "remove",
    "--format",
    "json jsonl",
    "complete -o default -F __vipscore_complete vipscore",
    "",
  ]);
  expect(child.output.stderr).toBe("");
});

test.each(["zsh", "fish"])("the script for %s asks the command", async (shell) => {
  const child = startChild([...cliCommand, "complete", shell], temporaryFolder());
  expect(await child.ended).toBe(0);
  expect(child.output.stdout).toContain("vipscore complete -- ");
});
