import { Command, Help } from "commander";
import type { Context } from "./context.ts";
import { ownVersion } from "./optionalPackage.ts";

/** The usage of each command, as in its own help, and what it does; in the order of the help, by heading. */
const commandGroups = {
  "Contract:": {
    "deploy [options]": "deploy a scoring contract and record it for later commands",
    "status [options]": "show the contract, its stages and members, who can change what, and what the signer may do",
    "doctor [options]": "check the rollup, the contract and L1, and list what must be done before the next stage ends",
    "guard [options]": "do what doctor does again and again, and report what begins, changes and ends, without a key",
    members: "show and change who may write scores, finalize stages and manage members",
    owner: "transfer ownership: the owner offers it, the new owner accepts it",
    "version [options]":
      "show the versions of vipscore, the rollup's node and the minitiad on PATH; the last two must match",
  },
  "Scores:": {
    score: "compute the scores of a stage",
    nft: "list NFTs and their holders from the chain's NFT indexer",
    "push [options] <file>": "write a file's scores to a stage, then verify that the chain holds exactly those scores",
    "watch [options] <file>": "keep an open stage up to date with a file until it is finalized",
    "verify [options] <file>": "compare every score and the total of a stage with a file, at one height",
    "finalize [options]": "close a stage permanently, after verifying that the chain holds exactly the expected scores",
    "export [options]": "write all scores of a stage as CSV, as of one height",
  },
  "Trust:": {
    "report [options]": "write a stage's report: one HTML page with its numbers, all accounts, a search and proofs",
    "snapshot [options]": "compute the Merkle root of a stage's scores, compare it with L1's snapshot, write proofs",
    "verify-proof [options] <file>": "check a proof file against its root, and that root against L1's",
    "audit [options] <manifest>":
      "compute the scores of a manifest again, and compare policy, sources, scores, contract and root",
  },
  "VIP:": {
    "stage [options]": "show the current stage on L1, when it is due to end, and the next ones",
    proposal:
      "write proposals to L1's governance that register the rollup with VIP, name another contract for it, or challenge a snapshot",
    operator:
      "write transactions with which the operator of a rollup changes its commission or its address, or claims its rewards",
    "claim [options]": "write the transaction with which an account claims its rewards on L1",
  },
  "Local:": {
    "node [options]": "run a local chain with funded test accounts until Ctrl-C; other commands in this folder find it",
    practice: "play VIP's agent, the clock and `initiad` on the L1 of `vipscore node --l1`",
    "demo [arguments...]": "show on local chains what a push survives: many scores, a kill half-way, a wrong finalize",
    "new [options] <what> <folder>": "start a contract that scores, or a page that reads scores, from an example",
    move: "build, test and publish a Move package with the compiler of the local chain",
    "conform [options]": "test on a local chain that a scoring contract, yours or ours, keeps the rules",
    "indexer [options]": "index a rollup's NFTs and serve them through the NFT indexer API until Ctrl-C",
    "complete [shell]": "print a script with which bash, zsh or fish completes commands and options",
  },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
type UsageIn<Group> = Group extends unknown ? keyof Group : never;
type NameIn<Usage> = Usage extends `${infer Name} ${string}` ? Name : Usage;
/** A command of the table: each must have its loader. */
type CommandName = NameIn<UsageIn<(typeof commandGroups)[keyof typeof commandGroups]>>;
const usages = Object.values(commandGroups).flatMap((group) => Object.keys(group));

type Load = () => Promise<(command: Command, context: Context) => void>;

/** Imports the function that adds arguments, options, subcommands and action to a command. Only the command that runs is loaded. */
const loaders: Readonly<Record<CommandName, Load>> = {
  deploy: async () => (await import("./commands/deploy/run.ts")).addDeploy,
  status: async () => (await import("./commands/status.ts")).addStatus,
  doctor: async () => (await import("./commands/doctor/run.ts")).addDoctor,
  guard: async () => (await import("./commands/guard/run.ts")).addGuard,
  members: async () => (await import("./commands/roles.ts")).addMembers,
  owner: async () => (await import("./commands/roles.ts")).addOwner,
  version: async () => (await import("./commands/version.ts")).addVersion,
  score: async () => (await import("./commands/score/run.ts")).addScore,
  nft: async () => (await import("./commands/nft.ts")).addNft,
  push: async () => (await import("./commands/push.ts")).addPush,
  watch: async () => (await import("./commands/watch/run.ts")).addWatch,
  verify: async () => (await import("./commands/verify.ts")).addVerify,
  finalize: async () => (await import("./commands/finalize.ts")).addFinalize,
  export: async () => (await import("./commands/export.ts")).addExport,
  report: async () => (await import("./commands/report.ts")).addReport,
  snapshot: async () => (await import("./commands/snapshot.ts")).addSnapshot,
  "verify-proof": async () => (await import("./commands/verifyProof.ts")).addVerifyProof,
  audit: async () => (await import("./commands/audit/run.ts")).addAudit,
  stage: async () => (await import("./commands/stage.ts")).addStage,
  proposal: async () => (await import("./commands/proposal.ts")).addProposal,
  operator: async () => (await import("./commands/operator.ts")).addOperator,
  claim: async () => (await import("./commands/claim.ts")).addClaim,
  node: async () => (await import("./commands/node.ts")).addNode,
  practice: async () => (await import("./commands/practice.ts")).addPractice,
  demo: async () => (await import("./commands/demo.ts")).addDemo,
  new: async () => (await import("./commands/new.ts")).addNew,
  move: async () => (await import("./commands/move.ts")).addMove,
  conform: async () => (await import("./commands/conform.ts")).addConform,
  indexer: async () => (await import("./commands/indexer/run.ts")).addIndexer,
  complete: async () => {
    const { addComplete } = await import("./commands/complete.ts");
    return (command, context) => addComplete(command, context, loadCommand);
  },
};

/** Returns the command-line parser; its commands have no more than a description until {@link loadCommand}. */
export function buildProgram(context: Context): Command {
  const { io } = context;
  const program = new Command("vipscore")
    .description(
      "Deploy the VIP scoring contract of an Initia rollup, push the scores of each stage, verify that the chain holds them, finalize.",
    )
    .version(ownVersion(), "--version", "print the version")
    .configureHelp({ groupItems: ownOptionsFirst, subcommandTerm })
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
  for (const [heading, group] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const [usage, description] of Object.entries(group)) program.command(nameOf(usage)).description(description);
  }
  return program;
}

export async function loadCommand(command: Command, context: Context): Promise<void> {
  const byName: Readonly<Record<string, Load | undefined>> = loaders;
  const add = await byName[command.name()]?.();
  add?.(command, context);
}

function nameOf(usage: string): string {
  return usage.replace(/ .*/, "");
}

/** Shows a command that is not loaded like one that is. */
const subcommandTerm: Help["subcommandTerm"] = (command) => {
  const isOfProgram = command.parent?.parent === null;
  const own = isOfProgram ? usages.find((usage) => nameOf(usage) === command.name()) : undefined;
  return own ?? new Help().subcommandTerm(command);
};

/** Groups the options of a help text: first the command's own, then those that it shares with others. */
const ownOptionsFirst: Help["groupItems"] = (unsorted, visible, getGroup) => {
  const groups = [...new Help().groupItems(unsorted, visible, getGroup)];
  const isOwn = ([name]: (typeof groups)[number]): boolean => name === "Options:";
  return new Map([...groups.filter(isOwn), ...groups.filter((group) => !isOwn(group))]);
};
