import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { formatBech32, parseAccount } from "@vipscore/core";
import type { Device, LedgerAddress } from "./device.ts";

/** Commands of the Cosmos app (cosmos/ledger-cosmos, docs/APDUSPEC.md). */
const cla = 0x55;
const instructions = { sign: 0x02, getAddress: 0x04 };

/** In P1: a question to the person; the parts of a document. */
const confirmed = 0x01;
const parts = { first: 0, further: 1, last: 2 };

/** Most bytes of a document in one command. */
const chunkBytes = 250;

/** The app refuses the prefix of Initia's addresses; the address has the same bytes with either. */
const prefix = "cosmos";

/** `isShown` asks the person to compare the address on the device. */
export async function getCosmosAddress(
  device: Device,
  path: readonly number[],
  { isShown }: { readonly isShown: boolean },
): Promise<LedgerAddress> {
  const data = Buffer.concat([Buffer.of(prefix.length), Buffer.from(prefix), encodePath(path)]);
  const answer = await device.send({ cla, ins: instructions.getAddress, p1: isShown ? confirmed : 0, data });
  const publicKey = answer.subarray(0, 33);
  const address = Buffer.from(answer.subarray(33)).toString("latin1");
  // An address of another key would receive funds that nobody here can spend.
  if (publicKey.length !== 33 || address !== addressOf(publicKey)) throw device.malformed();
  return { publicKey, address };
}

function addressOf(publicKey: Uint8Array): string {
  const digest = createHash("sha256").update(publicKey).digest();
  const hex = createHash("ripemd160").update(digest).digest("hex");
  return formatBech32(parseAccount(`0x${hex}`, { accountBytes: [20] }), prefix);
}

/** Signs amino JSON; returns r and s, 64 bytes, s in the lower half of the order: chains refuse the upper half. */
export async function signCosmosDocument(
  device: Device,
  path: readonly number[],
  document: Uint8Array,
): Promise<Uint8Array> {
  const ins = instructions.sign;
  await device.send({ cla, ins, p1: parts.first, data: encodePath(path) });
  let answer: Uint8Array = new Uint8Array();
  for (let start = 0; start < document.length; start += chunkBytes) {
    const isLast = start + chunkBytes >= document.length;
    const p1 = isLast ? parts.last : parts.further;
    answer = await device.send({ cla, ins, p1, data: document.subarray(start, start + chunkBytes) });
  }
  try {
    return secp256k1.Signature.fromDER(answer).normalizeS().toCompactRawBytes();
  } catch {
    throw device.malformed();
  }
}

function encodePath(path: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * path.length);
  for (const [index, element] of path.entries()) bytes.writeUInt32LE(element, 4 * index);
  return bytes;
}
