import { InputError } from "@vipscore/core";
import { nodeFileName, readNodeFile } from "@vipscore/core/nodeFile";
import { redactUrl } from "@vipscore/core/wire";
import { openIndexer, type Indexer } from "@vipscore/indexer-client";
import type { Context } from "../context.ts";
import { readConfigFile } from "../settings/configFile.ts";
import { firstSetting } from "../settings/setting.ts";
import type { IndexerFlags } from "./indexerOptions.ts";

/**
 * Opens the indexer that the flag names, else the environment, the settings file or the local node's file. Prints it to stderr,
 * unless a flag set it.
 *
 * @throws InputError `CONFIG_INVALID` if none is named or the name is not a URL; `FILE_UNREADABLE`.
 */
export async function openNftIndexer({ io, output, scrubber }: Context, flags: IndexerFlags): Promise<Indexer> {
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const setting = firstSetting(
    ["--indexer-url", flags.indexerUrl],
    ["INDEXER_URL", io.env["INDEXER_URL"]],
    [config.name, config.indexerUrl],
    [nodeFileName, node?.indexerUrl],
  );
  if (setting === undefined) {
    throw new InputError("no NFT indexer is set", {
      code: "CONFIG_INVALID",
      metaMessages: [
        "Start one with a local node: vipscore node --indexer",
        "Or set one with --indexer-url, INDEXER_URL or indexerUrl in vipscore.config.json.",
      ],
    });
  }
  const { value, source } = setting;
  scrubber.addUrl(value);
  let indexer: Indexer;
  try {
    indexer = openIndexer(value);
  } catch (cause) {
    // The text may contain a key pasted into the wrong place, so do not repeat it.
    throw new InputError(`${source} is not an indexer URL: it must be http:// or https://, without user or password`, {
      code: "CONFIG_INVALID",
      cause,
    });
  }
  if (source !== "--indexer-url") {
    output.note(output.paintNote("dim", `indexer   ${redactUrl(new URL(value))}  (${source})`));
  }
  return indexer;
}
