import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { formatChecksummed, parseAccount } from "@vipscore/core";
import type { Device, LedgerAddress } from "./device.ts";

/** Commands of the Ethereum app (LedgerHQ/app-ethereum, doc/ethapp.adoc). */
const cla = 0xe0;
const instructions = { getAddress: 0x02, signTransaction: 0x04, getConfiguration: 0x06, signMessage: 0x08 };

/** In P1: a question to the person, and a further part of a message. */
const confirmed = 0x01;
const further = 0x80;

/** Most bytes of a command's data. */
const chunkBytes = 255;

/** `isShown` asks the person to compare the address on the device. */
export async function getEthereumAddress(
  device: Device,
  path: readonly number[],
  { isShown }: { readonly isShown: boolean },
): Promise<LedgerAddress> {
  const p1 = isShown ? confirmed : 0;
  const answer = await device.send({ cla, ins: instructions.getAddress, p1, data: encodePath(path) });
  const point = answer.subarray(1, 66);
  const text = Buffer.from(answer.subarray(67, 107)).toString("latin1");
  if (answer[0] !== 65 || point[0] !== 4 || answer[66] !== 40) throw device.malformed();
  const address = addressOf(point);
  // An address of another key would receive funds that nobody here can spend.
  if (address.toLowerCase() !== `0x${text.toLowerCase()}`) throw device.malformed();
  try {
    return { publicKey: secp256k1.ProjectivePoint.fromHex(point).toRawBytes(), address };
  } catch {
    throw device.malformed();
  }
}

/** Returns whether the person has turned on blind signing, without which the app signs no call of a contract it does not know. */
export async function isBlindSigningOn(device: Device): Promise<boolean> {
  const [flags] = await device.send({ cla, ins: instructions.getConfiguration });
  if (flags === undefined) throw device.malformed();
  return (flags & 0x01) === 1;
}

/** Signs a transaction, serialized without a signature; returns r and s, 64 bytes, s in the lower half of the order. */
export async function signEthereumTransaction(
  device: Device,
  path: readonly number[],
  transaction: Uint8Array,
): Promise<Uint8Array> {
  return sign(device, instructions.signTransaction, Buffer.concat([encodePath(path), transaction]));
}

/** The app adds the prefix of EIP-191 itself. Returns r and s, 64 bytes, s in the lower half of the order. */
export async function signEthereumMessage(
  device: Device,
  path: readonly number[],
  message: Uint8Array,
): Promise<Uint8Array> {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return sign(device, instructions.signMessage, Buffer.concat([encodePath(path), length, message]));
}

async function sign(device: Device, ins: number, data: Uint8Array): Promise<Uint8Array> {
  let answer: Uint8Array = new Uint8Array();
  for (let start = 0; start < data.length; start += chunkBytes) {
    const p1 = start === 0 ? 0 : further;
    answer = await device.send({ cla, ins, p1, data: data.subarray(start, start + chunkBytes) });
  }
  // The first byte, v, depends on the kind of the transaction; the caller can compute it.
  try {
    return secp256k1.Signature.fromCompact(answer.subarray(1)).normalizeS().toCompactRawBytes();
  } catch {
    throw device.malformed();
  }
}

/** An address is the last 20 bytes of the digest of the point's two coordinates. */
function addressOf(point: Uint8Array): `0x${string}` {
  const digits = Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString("hex");
  return `0x${formatChecksummed(parseAccount(`0x${digits}`, { accountBytes: [20] })).slice(2)}`;
}

function encodePath(path: readonly number[]): Buffer {
  const bytes = Buffer.alloc(1 + 4 * path.length);
  bytes.writeUInt8(path.length);
  for (const [index, element] of path.entries()) bytes.writeUInt32BE(element, 1 + 4 * index);
  return bytes;
}
