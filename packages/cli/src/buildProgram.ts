import { Command, Help } from "commander";
import type { Context } from "./context.ts";
import { ownVersion } from "./optionalPackage.ts";

/** A command as the program's help lists it. Only the command that runs is loaded. */
interface CommandEntry {
  /** Its name and what follows it, as in its own help. */
  readonly usage: string;
  readonly description: string;
  /** Imports the function that adds arguments, options, subcommands and action to the command of this entry. */
  readonly load: () => Promise<(command: Command, context: Context) => void>;
}

/** The commands in the order of the help, by heading. */
const commandGroups: Readonly<Record<string, readonly CommandEntry[]>> = {
  "Contract:": [
    {
      usage: "deploy [options]",
      description: "deploy a scoring contract and record it for later commands",
      load: async () => (await import("./commands/deploy/run.ts")).addDeploy,
    },
    {
      usage: "status [options]",
      description: "show the contract, its stages and members, who can change what, and what the signer may do",
      load: async () => (await import("./commands/status.ts")).addStatus,
    },
    {
      usage: "doctor [options]",
      description: "check the rollup, the contract and L1, and list what must be done before the next stage ends",
      load: async () => (await import("./commands/doctor/run.ts")).addDoctor,
    },
    {
      usage: "members",
      description: "show and change who may write scores, finalize stages and manage members",
      load: async () => (await import("./commands/roles.ts")).addMembers,
    },
    {
      usage: "owner",
      description: "transfer ownership: the owner offers it, the new owner accepts it",
      load: async () => (await import("./commands/roles.ts")).addOwner,
    },
    {
      usage: "version [options]",
      description: "show the versions of vipscore, the rollup's node and the minitiad on PATH; the last two must match",
      load: async () => (await import("./commands/version.ts")).addVersion,
    },
  ],
  "Scores:": [
    {
      usage: "score",
      description: "compute the scores of a stage",
      load: async () => (await import("./commands/score/run.ts")).addScore,
    },
    {
      usage: "nft",
      description: "list NFTs and their holders from the chain's NFT indexer",
      load: async () => (await import("./commands/nft.ts")).addNft,
    },
    {
      usage: "push [options] <file>",
      description: "write a file's scores to a stage, then verify that the chain holds exactly those scores",
      load: async () => (await import("./commands/push.ts")).addPush,
    },
    {
      usage: "watch [options] [words...]",
      description:
        "keep an open stage up to date with a file, or with the rows that a command prints, until it is finalized",
      load: async () => (await import("./commands/watch/run.ts")).addWatch,
    },
    {
      usage: "verify [options] <file>",
      description: "compare every score and the total of a stage with a file, at one height",
      load: async () => (await import("./commands/verify.ts")).addVerify,
    },
    {
      usage: "finalize [options]",
      description: "close a stage permanently, after verifying that the chain holds exactly the expected scores",
      load: async () => (await import("./commands/finalize.ts")).addFinalize,
    },
    {
      usage: "export [options]",
      description: "write all scores of a stage as CSV, as of one height",
      load: async () => (await import("./commands/export.ts")).addExport,
    },
  ],
  "Trust:": [
    {
      usage: "report [options]",
      description: "write a stage's report: one HTML page with its numbers, all accounts, a search and proofs",
      load: async () => (await import("./commands/report.ts")).addReport,
    },
    {
      usage: "snapshot [options]",
      description: "compute the Merkle root of a stage's scores, compare it with L1's snapshot, write proofs",
      load: async () => (await import("./commands/snapshot.ts")).addSnapshot,
    },
    {
      usage: "verify-proof [options] <file>",
      description: "check a proof file against its root, and that root against L1's",
      load: async () => (await import("./commands/verifyProof.ts")).addVerifyProof,
    },
    {
      usage: "audit [options] <manifest>",
      description: "compute the scores of a manifest again, and compare policy, sources, scores, contract and root",
      load: async () => (await import("./commands/audit/run.ts")).addAudit,
    },
  ],
  "VIP:": [
    {
      usage: "stage [options]",
      description: "show the current stage on L1, when it is due to end, and the next ones",
      load: async () => (await import("./commands/stage.ts")).addStage,
    },
    {
      usage: "proposal",
      description:
        "write proposals to L1's governance that register the rollup with VIP, name another contract for it, or challenge a snapshot",
      load: async () => (await import("./commands/proposal.ts")).addProposal,
    },
    {
      usage: "operator",
      description:
        "write transactions with which the operator of a rollup changes its commission or its address, or claims its rewards",
      load: async () => (await import("./commands/operator.ts")).addOperator,
    },
    {
      usage: "claim [options]",
      description: "write the transaction with which an account claims its rewards on L1",
      load: async () => (await import("./commands/claim.ts")).addClaim,
    },
  ],
  "Local:": [
    {
      usage: "node [options]",
      description: "run a local chain with funded test accounts until Ctrl-C; other commands in this folder find it",
      load: async () => (await import("./commands/node.ts")).addNode,
    },
    {
      usage: "practice",
      description: "play VIP's agent, the clock and `initiad` on the L1 of `vipscore node --l1`",
      load: async () => (await import("./commands/practice.ts")).addPractice,
    },
    {
      usage: "demo [arguments...]",
      description: "show on local chains what a push survives: many scores, a kill half-way, a wrong finalize",
      load: async () => (await import("./commands/demo.ts")).addDemo,
    },
    {
      usage: "new [options] <vm> <folder>",
      description: "start a contract that scores in its users' own transactions, from the example of the VM",
      load: async () => (await import("./commands/new.ts")).addNew,
    },
    {
      usage: "conform [options]",
      description: "test on a local chain that a scoring contract, yours or ours, keeps the rules",
      load: async () => (await import("./commands/conform.ts")).addConform,
    },
    {
      usage: "indexer [options]",
      description: "index a rollup's NFTs and serve them through the NFT indexer API until Ctrl-C",
      load: async () => (await import("./commands/indexer/run.ts")).addIndexer,
    },
  ],
};
const entries: ReadonlyMap<string, CommandEntry> = new Map(
  Object.values(commandGroups).flatMap((group) => group.map((entry) => [nameOf(entry), entry])),
);

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
    for (const entry of group) program.command(nameOf(entry)).description(entry.description);
  }
  return program;
}

/** Gives a command of the program its arguments, options, subcommands and action. */
export async function loadCommand(command: Command, context: Context): Promise<void> {
  const add = await entries.get(command.name())?.load();
  add?.(command, context);
}

function nameOf({ usage }: CommandEntry): string {
  return usage.replace(/ .*/, "");
}

/** Shows a command that is not loaded like one that is. */
const subcommandTerm: Help["subcommandTerm"] = (command) => {
  const isOfProgram = command.parent?.parent === null;
  return (isOfProgram ? entries.get(command.name())?.usage : undefined) ?? new Help().subcommandTerm(command);
};

/** Groups the options of a help text: first the command's own, then those that it shares with others. */
const ownOptionsFirst: Help["groupItems"] = (unsorted, visible, getGroup) => {
  const groups = [...new Help().groupItems(unsorted, visible, getGroup)];
  const isOwn = ([name]: (typeof groups)[number]): boolean => name === "Options:";
  return new Map([...groups.filter(isOwn), ...groups.filter((group) => !isOwn(group))]);
};
