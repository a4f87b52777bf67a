import { secp256k1 } from "@noble/curves/secp256k1";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english";
import { InputError } from "../errors/inputError.ts";

/**
 * The secret that an account signs with: a mnemonic, or a 32-byte private key in hex.
 *
 * `coinType` 60, the default, derives keys as Ethereum wallets do; 118 as Cosmos wallets do. On chains of the Cosmos SDK it
 * also says which kind of key it is: 60 ethsecp256k1, as on Initia, 118 plain secp256k1. The two have different addresses.
 */
export type AccountKey = { readonly coinType?: 60 | 118 | undefined } & (
  | { readonly mnemonic: string; readonly privateKey?: undefined }
  | { readonly privateKey: string; readonly mnemonic?: undefined }
);

/**
 * Returns the 32 bytes of the private key of a mnemonic, by BIP-39 and BIP-32, or of a text in hex. With coin type 60 it is
 * the same as in Ethereum wallets. Takes about 50 ms for a mnemonic.
 *
 * @throws InputError `KEY_INVALID` for a mnemonic with a wrong word or checksum, and for an invalid key; its text is not
 * repeated.
 */
export function privateKeyOf({ mnemonic, privateKey, coinType = 60 }: AccountKey): Uint8Array {
  const key = privateKey === undefined ? derive(mnemonic, coinType) : parseHex(privateKey);
  if (key !== undefined && secp256k1.utils.isValidPrivateKey(key)) return key;
  const expected =
    privateKey === undefined
      ? "the mnemonic is not 12, 15, 18, 21 or 24 English words with their checksum"
      : "the private key is not 64 hex digits of a secp256k1 key";
  const isQuoted = /^\s*["'`]/.test(privateKey ?? mnemonic ?? "");
  throw new InputError(expected, {
    code: "KEY_INVALID",
    metaMessages: isQuoted ? ["It has quotes around it: remove them."] : [],
  });
}

/** Checks the mnemonic's checksum: otherwise one wrong word would give a valid key of another account. */
function derive(mnemonic: string, coinType: number): Uint8Array | undefined {
  const words = mnemonic.trim().split(/\s+/).join(" ");
  if (!validateMnemonic(words, wordlist)) return undefined;
  const { privateKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(`m/44'/${coinType}'/0'/0/0`);
  return privateKey ?? undefined;
}

function parseHex(text: string): Uint8Array | undefined {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Buffer.from(digits, "hex");
}
