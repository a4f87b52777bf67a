import type { Command } from "commander";
import { configOption, connectionOption } from "../options/commandOptions.ts";

/** The flags that name the NFT indexer. */
export interface IndexerFlags {
  readonly indexerUrl?: string;
  readonly config?: string;
}

/** Adds the options that name the NFT indexer. */
export function withIndexerOptions(command: Command): Command {
  return command
    .addOption(connectionOption("--indexer-url <url>", "base URL of the chain's NFT indexer (env INDEXER_URL)"))
    .addOption(configOption());
}

/** Flags for rows that the indexer cannot serve. */
export interface UnreadableFlags {
  readonly skipUnreadable?: boolean;
}

/** Adds the option that skips unreadable rows. */
export function withUnreadableOption(command: Command): Command {
  return command.option("--skip-unreadable", "skip rows that the indexer cannot serve instead of failing");
}
