import type { Msg } from "@initia/initia.js";
import type { CosmosMessage } from "@vipscore/cosmos";

/** A message that initia.js has encoded. */
export function initiaMessage(message: Msg): CosmosMessage {
  const { typeUrl, value } = message.packAny();
  return { typeUrl, value };
}
