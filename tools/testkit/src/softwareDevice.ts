import { createRequire } from "node:module";
import type * as mocker from "@ledgerhq/hw-transport-mocker";
import { secp256k1 } from "@noble/curves/secp256k1";
import { ripemd160 } from "@noble/hashes/legacy";
import { sha256 } from "@noble/hashes/sha2";
import { keccak_256 } from "@noble/hashes/sha3";
import { formatBech32, parseAccount } from "@vipscore/core";
import { privateKeyOf, type AccountKey } from "@vipscore/core/keys";

// An import would load the package's files for bundlers, which Node cannot resolve.
const { openTransportReplayer, RecordStore } = createRequire(import.meta.url)(
  "@ledgerhq/hw-transport-mocker",
) as typeof mocker;

/** Opens a transport that expects exactly these exchanges: lines of `=> hex` and `<= hex`. */
export function replayExchanges(text: string): Promise<mocker.TransportReplayer> {
  return openTransportReplayer(RecordStore.fromString(text));
}

/** A command to a device, as it arrives there. */
export interface ReceivedCommand {
  readonly cla: number;
  readonly ins: number;
  readonly p1: number;
  readonly p2: number;
  readonly data: Buffer;
}

/** A device in the hands of a test. */
export interface SoftwareDeviceOptions {
  readonly app: "ethereum" | "cosmos";
  readonly key: AccountKey;
  /** The path that the key belongs to. Default: the first account of the app. */
  readonly path?: readonly number[];
  /** Returns a status word instead of the answer; undefined for the answer. */
  readonly refuse?: (command: ReceivedCommand) => number | undefined;
  /** True if the person has turned on blind signing in the Ethereum app. Default: true. */
  readonly blindSigning?: boolean;
}

const status = { ok: 0x9000, invalid: 0x6a80, parameters: 0x6b00, instruction: 0x6d00, class: 0x6e00 };

/**
 * A hardware wallet that signs with a key in memory. Its apps follow their public specifications (LedgerHQ/app-ethereum,
 * doc/ethapp.adoc; cosmos/ledger-cosmos, docs/APDUSPEC.md), strictly: it refuses whatever does not.
 */
export class SoftwareDevice extends RecordStore {
  /** Every command, in order. */
  readonly received: ReceivedCommand[] = [];
  /** The bytes that were signed, in order: transactions, or documents in amino JSON. */
  readonly signed: Buffer[] = [];
  readonly #options: SoftwareDeviceOptions;
  readonly #privateKey: Uint8Array;
  #parts: Buffer = Buffer.alloc(0);

  constructor(options: SoftwareDeviceOptions) {
    super();
    this.#options = options;
    this.#privateKey = privateKeyOf({ ...options.key, coinType: options.app === "ethereum" ? 60 : 118 });
  }

  /** Connects to the device. */
  open(): Promise<mocker.TransportReplayer> {
    return openTransportReplayer(this);
  }

  override replayExchange(apdu: Buffer): Buffer {
    const [cla = 0, ins = 0, p1 = 0, p2 = 0, length = 0] = apdu;
    const command = { cla, ins, p1, p2, data: apdu.subarray(5) };
    if (command.data.length !== length) throw new Error(`a command with a wrong length: ${apdu.toString("hex")}`);
    this.received.push(command);
    const { app, refuse } = this.#options;
    const refused = refuse?.(command);
    if (refused !== undefined) return answer(refused);
    if (cla !== (app === "ethereum" ? 0xe0 : 0x55)) return answer(status.class);
    if (p2 !== 0) return answer(status.parameters);
    return app === "ethereum" ? this.#ethereum(command) : this.#cosmos(command);
  }

  #ethereum({ ins, p1, data }: ReceivedCommand): Buffer {
    if (ins === 0x06) return answer(status.ok, Buffer.of(this.#options.blindSigning === false ? 0 : 1, 1, 22, 0));
    const path = this.#path(60);
    const count = Buffer.of(path.length / 4);
    const isMine = Buffer.concat([count, path]).equals(data.subarray(0, 1 + path.length));
    if (ins === 0x02) {
      if (!isMine || data.length !== 1 + path.length || p1 > 1) return answer(status.invalid);
      const point = secp256k1.getPublicKey(this.#privateKey, false);
      const address = Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString("hex");
      return answer(status.ok, Buffer.of(point.length), point, Buffer.of(address.length), Buffer.from(address));
    }
    if (ins !== 0x04 && ins !== 0x08) return answer(status.instruction);
    if (p1 === 0 && !isMine) return answer(status.invalid);
    if (p1 !== 0 && p1 !== 0x80) return answer(status.parameters);
    this.#parts = p1 === 0 ? data.subarray(1 + path.length) : Buffer.concat([this.#parts, data]);
    const document = ins === 0x04 ? completeTransaction(this.#parts) : completeMessage(this.#parts);
    if (document === undefined) return answer(status.ok);
    this.signed.push(document);
    const prefix = ins === 0x04 ? "" : `\u0019Ethereum Signed Message:\n${document.length}`;
    const digest = keccak_256(Buffer.concat([Buffer.from(prefix), document]));
    const { r, s, recovery } = secp256k1.sign(digest, this.#privateKey, { lowS: true });
    return answer(status.ok, Buffer.of(recovery + (ins === 0x04 ? 0 : 27)), scalar(r), scalar(s));
  }

  #cosmos({ ins, p1, data }: ReceivedCommand): Buffer {
    const path = this.#path(118);
    if (ins === 0x04) {
      const prefix = data.subarray(1, 1 + (data[0] ?? 0)).toString();
      if (prefix !== "cosmos" || !data.subarray(7).equals(path)) return answer(0x698c);
      const publicKey = secp256k1.getPublicKey(this.#privateKey, true);
      const hex = Buffer.from(ripemd160(sha256(publicKey))).toString("hex");
      const address = formatBech32(parseAccount(`0x${hex}`, { accountBytes: [20] }), "cosmos");
      return answer(status.ok, publicKey, Buffer.from(address));
    }
    if (ins !== 0x02) return answer(status.instruction);
    if (p1 === 0) {
      this.#parts = Buffer.alloc(0);
      return answer(data.equals(path) ? status.ok : 0x698c);
    }
    if (p1 > 2 || data.length > 250) return answer(status.parameters);
    this.#parts = Buffer.concat([this.#parts, data]);
    if (p1 === 1) return answer(status.ok);
    JSON.parse(this.#parts.toString());
    this.signed.push(this.#parts);
    const { r, s } = secp256k1.sign(sha256(this.#parts), this.#privateKey, { lowS: true });
    // The app may answer either s; chains accept only the lower one.
    return answer(status.ok, der(r, secp256k1.CURVE.n - s));
  }

  /** The path, 4 bytes each: big-endian in the Ethereum app, little-endian in the Cosmos app. */
  #path(coinType: 60 | 118): Buffer {
    const hardened = 0x8000_0000;
    const elements = this.#options.path ?? [44 + hardened, coinType + hardened, hardened, 0, 0];
    const bytes = Buffer.alloc(4 * elements.length);
    for (const [index, element] of elements.entries()) {
      if (coinType === 60) bytes.writeUInt32BE(element, 4 * index);
      else bytes.writeUInt32LE(element, 4 * index);
    }
    return bytes;
  }
}

function answer(word: number, ...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...parts, Buffer.of(word >> 8, word & 0xff)]);
}

/** Returns a typed transaction once all of its list is there. */
function completeTransaction(parts: Buffer): Buffer | undefined {
  const marker = parts[1] ?? 0;
  // A long list: its length follows in as many bytes as the marker says.
  const lengthBytes = marker > 0xf7 ? marker - 0xf7 : 0;
  const length = lengthBytes === 0 ? marker - 0xc0 : parts.readUIntBE(2, lengthBytes);
  const all = 2 + lengthBytes + length;
  if (parts.length > all) throw new Error("a transaction with bytes behind its end");
  return parts.length === all ? parts : undefined;
}

/** Returns a message once all of it is there. */
function completeMessage(parts: Buffer): Buffer | undefined {
  const length = parts.readUInt32BE();
  return parts.length === 4 + length ? parts.subarray(4) : undefined;
}

function der(r: bigint, s: bigint): Buffer {
  const integers = Buffer.concat([r, s].map(integer));
  return Buffer.concat([Buffer.of(0x30, integers.length), integers]);
}

function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const bytes = Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, "hex");
  return Buffer.concat([Buffer.of(0x02, bytes.length), bytes]);
}

function scalar(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}
