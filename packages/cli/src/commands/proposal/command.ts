import { Option, type Command } from "commander";
import type { Context } from "../../context.ts";
import { withTransactionOptions } from "../../l1/transactionOptions.ts";
import { connectionOption, stageOption, withEndpointOptions, withL1Options } from "../../options/commandOptions.ts";
import type { ProposalFlags } from "./openProposal.ts";
import type { ChallengeFlags, RegisterFlags } from "./run.ts";

/** Adds `proposal register`, `proposal contract` and `proposal challenge`. */
export function addProposal(proposal: Command, context: Context): void {
  withProposalOptions(proposal.command("register"))
    .description("write the proposal that registers the rollup, after checking its settings against both chains")
    .option("--registry <file>", "also complete the rollup's profile in Initia's registry, in a new file NAME.vip.json")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore proposal register --settings proposal.json --out proposal.tx.json --forum forum.md",
    )
    .action(async (flags: RegisterFlags) => (await import("./run.ts")).registerRollup(context, flags));
  withProposalOptions(proposal.command("contract"))
    .description("write the proposal that names another contract for a registered rollup")
    .addHelpText("after", "\nExample:\n  $ vipscore proposal contract --settings proposal.json --out proposal.tx.json")
    .action(async (flags: ProposalFlags) => (await import("./run.ts")).replaceContract(context, flags));
  withProposalOptions(proposal.command("challenge"))
    .description("write the proposal that replaces a wrong snapshot on L1 by the contract's scores")
    .addOption(stageOption())
    .option("--expedited", "an expedited vote: shorter, for a larger deposit and a larger majority")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore proposal challenge --stage 12 --settings proposal.json --out challenge.tx.json",
    )
    .action(async (flags: ChallengeFlags) => (await import("./run.ts")).challengeSnapshot(context, flags));
}

function withProposalOptions(command: Command): Command {
  command.addOption(new Option("--settings <file>", "JSON file with the fields of the proposal").makeOptionMandatory());
  return withTransactionOptions(withL1Options(withEndpointOptions(command)))
    .option("--forum <file>", "also write the text of a forum post to a new Markdown file")
    .addOption(
      connectionOption(
        "--rollup-rest-url <url>",
        "REST endpoint of the rollup, to ask for its bridge (default: on Move the endpoint)",
      ),
    );
}
