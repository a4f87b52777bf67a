import shellCompletion, { ShellCompDirective } from "@bomb.sh/tab";
import addCompletion from "@bomb.sh/tab/commander";
import { Command } from "commander";
import { InputError } from "@vipscore/core/errors";
import type { Context } from "../context.ts";
import { ownVersion } from "../optionalPackage.ts";

const shells: ReadonlySet<string> = new Set(["bash", "zsh", "fish"]);

/** Adds to a command of the program what it has; the command has no more than a description before. */
type LoadCommand = (command: Command, context: Context) => Promise<void>;

export function addComplete(complete: Command, context: Context, loadCommand: LoadCommand): void {
  complete
    .argument("[shell]", "bash, zsh or fish")
    .allowExcessArguments()
    .addHelpText("after", "\nExample:\n  $ source <(vipscore complete bash)")
    .action(async (shell: string | undefined) => {
      const { operands, output } = context;
      if (operands.length > 0) {
        await printCompletions(complete, context, loadCommand);
        return;
      }
      if (shell === undefined || !shells.has(shell)) throw new InputError("name the shell: bash, zsh or fish");
      shellCompletion.setup("vipscore", "vipscore", shell);
      // The script's own registration never completes file names.
      if (shell === "bash") output.print("complete -o default -F __vipscore_complete vipscore");
    });
}

/** Prints what may come next, as the scripts ask for it: `vipscore complete -- push --st`. Loads only the command that is typed. */
async function printCompletions(complete: Command, context: Context, loadCommand: LoadCommand): Promise<void> {
  const tree = new Command("vipscore").version(ownVersion(), "--version", "print the version");
  for (const command of complete.parent?.commands ?? []) {
    // The library adds its own command of this name.
    if (command === complete) continue;
    if (command.name() === context.operands[0]) await loadCommand(command, context);
    tree.addCommand(command);
  }
  addCompletion(tree);
  Object.defineProperty(shellCompletion, "directive", {
    get: () => ShellCompDirective.ShellCompDirectiveDefault,
    set: () => {
      // Where nothing else fits, the shell offers files; the library would forbid it.
    },
  });
  shellCompletion.parse([...context.operands]);
}
