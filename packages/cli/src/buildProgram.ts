import { Command, Help } from "commander";
import { addAudit } from "./commands/audit/command.ts";
import { addClaim } from "./commands/claim/command.ts";
import { addConform } from "./commands/conform/command.ts";
import { addDemo } from "./commands/demo/command.ts";
import { addDeploy } from "./commands/deploy/command.ts";
import { addDoctor } from "./commands/doctor/command.ts";
import { addExport } from "./commands/export/command.ts";
import { addFinalize } from "./commands/finalize/command.ts";
import { addIndexer } from "./commands/indexer/command.ts";
import { addMembers } from "./commands/members/command.ts";
import { addNew } from "./commands/new/command.ts";
import { addNft } from "./commands/nft/command.ts";
import { addNode } from "./commands/node/command.ts";
import { addOperator } from "./commands/operator/command.ts";
import { addOwner } from "./commands/owner/command.ts";
import { addPractice } from "./commands/practice/command.ts";
import { addProposal } from "./commands/proposal/command.ts";
import { addPush } from "./commands/push/command.ts";
import { addReport } from "./commands/report/command.ts";
import { addScore } from "./commands/score/command.ts";
import { addSnapshot } from "./commands/snapshot/command.ts";
import { addStage } from "./commands/stage/command.ts";
import { addStatus } from "./commands/status/command.ts";
import { addVerify } from "./commands/verify/command.ts";
import { addVerifyProof } from "./commands/verifyProof/command.ts";
import { addVersion } from "./commands/version/command.ts";
import { addWatch } from "./commands/watch/command.ts";
import type { Context } from "./context.ts";
import { ownVersion } from "./ownVersion.ts";

/** The commands in the order of the help, by heading. */
const commandGroups: Readonly<Record<string, readonly ((program: Command, context: Context) => void)[]>> = {
  "Contract:": [addDeploy, addStatus, addDoctor, addMembers, addOwner, addVersion],
  "Scores:": [addScore, addNft, addPush, addWatch, addVerify, addFinalize, addExport],
  "Trust:": [addReport, addSnapshot, addVerifyProof, addAudit],
  "VIP:": [addStage, addProposal, addOperator, addClaim],
  "Local:": [addNode, addPractice, addDemo, addNew, addConform, addIndexer],
};

/** Returns the command-line parser with all commands. */
export function buildProgram(context: Context): Command {
  const { io } = context;
  const program = new Command("vipscore")
    .description(
      "Deploy the VIP scoring contract of an Initia rollup, push the scores of each stage, prove that the chain holds them, finalize.",
    )
    .version(ownVersion(), "--version", "print the version")
    .configureHelp({ groupItems: ownOptionsFirst })
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // run() reports each error once, in the requested form.
      writeErr: (text) => (text.startsWith("error:") ? undefined : io.stderr.write(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      "after",
      `
Get started on a local chain:
  $ vipscore node                          in one terminal; Ctrl-C ends it
  $ vipscore deploy --init-stage 1         in another
  $ vipscore push scores.csv --stage 1
  $ vipscore finalize --stage 1 --file scores.csv

Exit status: 0 done, 2 bad input, 3 refused by a check, 4 chain or network, 130 interrupted.`,
    );
  for (const [heading, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, context);
  }
  return program;
}

/** Groups the options of a help text: first the command's own, then those that it shares with others. */
const ownOptionsFirst: Help["groupItems"] = (unsorted, visible, getGroup) => {
  const groups = [...new Help().groupItems(unsorted, visible, getGroup)];
  const isOwn = ([name]: (typeof groups)[number]): boolean => name === "Options:";
  return new Map([...groups.filter(isOwn), ...groups.filter((group) => !isOwn(group))]);
};
