import { formatBech32 } from "@vipscore/core";
import type { CosmosAccount } from "@vipscore/cosmos";
import { refuseToSign, type SenderOnly } from "./rollup.ts";

/** Creates an account on a Cosmos SDK chain that only names who will sign. */
export function senderAccount({ sender }: SenderOnly): CosmosAccount {
  return { address: formatBech32(sender), account: sender, canQueue: true, signTransaction: refuseToSign };
}
