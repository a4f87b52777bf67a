import { createHash } from "node:crypto";
import { formatBech32, parseAccount } from "@vipscore/core";

/** Returns the account of a bridge on every L1, in bech32: the SDK's address of the module `ophost` for the ID in 8 bytes. */
export function bridgeAddress(id: bigint): string {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(id);
  const address = sha256(Buffer.concat([sha256(Buffer.from("module")), Buffer.from("ophost\0"), key]));
  return formatBech32(parseAccount(`0x${address.toString("hex")}`, { accountBytes: [32] }));
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
