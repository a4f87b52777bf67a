import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { scrypt } from "@noble/hashes/scrypt";
import { keccak_256 } from "@noble/hashes/sha3";
import { InputError, quoteText } from "./errors/inputError.ts";
import { isObject } from "./wire/answer.ts";

/** Encryption of an Ethereum keystore file of version 3 (Web3 Secret Storage). All binary fields are hex; some programs add `0x`. */
interface KeystoreCrypto {
  readonly cipher: "aes-128-ctr";
  readonly cipherparams: { readonly iv: string };
  readonly ciphertext: string;
  readonly kdf: "scrypt" | "pbkdf2";
  readonly kdfparams: Readonly<Record<string, unknown>>;
  /** Keccak-256 of the second half of the derived key and the ciphertext. */
  readonly mac: string;
}

/**
 * Returns what decrypts the private key of a keystore file with its password, as `0x` and hex digits; undefined for another kind
 * of file. It throws for a wrong password, and for parameters that cannot be used; of these errors only those of vipscore are meant
 * for people: `KEY_INVALID` for another PRF, and for the key of another address than the file's (nethermind PR 9638).
 */
export function openKeystore(file: unknown): ((password: string) => `0x${string}`) | undefined {
  // Early programs wrote `Crypto`, and some the version as text.
  const crypto = isObject(file) && String(file["version"]) === "3" ? (file["crypto"] ?? file["Crypto"]) : undefined;
  if (!isObject(file) || !isKnownCrypto(crypto)) return undefined;
  return (password) => requireAddress(decrypt(crypto, password), file["address"]);
}

/** The checksum does not cover the address. Some programs leave it out. */
function requireAddress(privateKey: `0x${string}`, named: unknown): `0x${string}` {
  const [, digits] = /^(?:0x)?([0-9a-f]{40})$/i.exec(String(named)) ?? [];
  const publicKey = secp256k1.getPublicKey(privateKey.slice(2), false).subarray(1);
  const address = Buffer.from(keccak_256(publicKey).subarray(12)).toString("hex");
  if (digits === undefined || digits.toLowerCase() === address) return privateKey;
  throw invalid(`names the address 0x${digits}, and has the key of 0x${address}`);
}

function invalid(problem: string): InputError {
  return new InputError(problem, { code: "KEY_INVALID" });
}

function isKnownCrypto(value: unknown): value is KeystoreCrypto {
  if (!isObject(value) || !isObject(value["cipherparams"]) || !isObject(value["kdfparams"])) return false;
  const isKnownKdf = value["kdf"] === "scrypt" || value["kdf"] === "pbkdf2";
  const texts = [value["ciphertext"], value["mac"], value["cipherparams"]["iv"]];
  return isKnownKdf && value["cipher"] === "aes-128-ctr" && texts.every((text) => typeof text === "string");
}

function decrypt(crypto: KeystoreCrypto, password: string): `0x${string}` {
  const key = deriveKey(crypto, password);
  const ciphertext = bytesOf(crypto.ciphertext);
  const mac = keccak_256(Buffer.concat([key.subarray(16, 32), ciphertext]));
  if (!bytesOf(crypto.mac).equals(mac)) throw new Error("wrong checksum");
  const cipher = createDecipheriv(crypto.cipher, key.subarray(0, 16), bytesOf(crypto.cipherparams.iv));
  return `0x${Buffer.concat([cipher.update(ciphertext), cipher.final()]).toString("hex")}`;
}

function deriveKey({ kdf, kdfparams }: KeystoreCrypto, password: string): Uint8Array {
  const salt = bytesOf(String(kdfparams["salt"]));
  const { prf = "hmac-sha256" } = kdfparams;
  if (prf !== "hmac-sha256")
    throw invalid(`derives its key with ${quoteText(String(prf))}; only hmac-sha256 is supported`);
  const number = (name: string): number => Number(kdfparams[name]);
  if (kdf === "pbkdf2") return pbkdf2Sync(password, salt, number("c"), 32, "sha256");
  // Node's scrypt refuses the parameters of many files: n = 262144 with r = 1, as in the definition's own example.
  return scrypt(password, salt, { N: number("n"), r: number("r"), p: number("p"), dkLen: 32 });
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replace(/^0x/i, ""), "hex");
}
