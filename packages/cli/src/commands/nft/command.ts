import { Option, type Command } from "commander";
import { InputError } from "@vipscore/core/errors";
import type { Context } from "../../context.ts";
import { withIndexerOptions, withUnreadableOption } from "../../nft/indexerOptions.ts";
import { withOutputOptions } from "../../options/commandOptions.ts";
import type { HoldersFlags, TokensFlags } from "./run.ts";

/** Adds `nft tokens` and `nft holders`. */
export function addNft(nft: Command, context: Context): void {
  withUnreadableOption(withIndexerOptions(withOutputOptions(nft.command("tokens [account]"))))
    .description("list the tokens of an account, of a collection, or of an account in a collection")
    .option("--collection <address>", "only tokens of this collection")
    .option("--token-id <id>", "only the token with this ID")
    .addOption(
      new Option("--order-by <field>", "order by token ID (as text, ascending) or by height (newest first)")
        .choices(["token_id", "height"])
        .default("token_id"),
    )
    .addOption(new Option("--limit <n>", "maximum number of tokens (default: all)").argParser(parseLimit))
    .addOption(formatOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore nft tokens --collection 0x1d8e31d5071bb4072fffc05b792685dcc5085bde --format csv > tokens.csv",
    )
    .action(async (account: string | undefined, flags: TokensFlags) =>
      (await import("./run.ts")).listTokens(context, account, flags),
    );
  withUnreadableOption(withIndexerOptions(withOutputOptions(nft.command("holders <collection>"))))
    .description("list how many tokens of a collection each holder has, as of one height")
    .addOption(formatOption())
    .addHelpText("after", "\nExample:\n  $ vipscore nft holders 0x1d8e31d5071bb4072fffc05b792685dcc5085bde")
    .action(async (collection: string, flags: HoldersFlags) =>
      (await import("./run.ts")).listHolders(context, collection, flags),
    );
}

function formatOption(): Option {
  return new Option("--format <format>", "output format").choices(["table", "csv"]).default("table");
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InputError(`--limit "${text}" is not a positive integer`);
}
