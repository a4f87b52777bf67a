import { InputError } from "@vipscore/core";
import { validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english";
import { privateKeyToAccount } from "viem/accounts";
import type { Io } from "../io.ts";
import type { Scrubber } from "../output/scrubber.ts";
import type { CoinType, SigningKey } from "../rollup/rollup.ts";
import type { Setting } from "../settings/setting.ts";
import { readKeystore } from "./readKeystore.ts";

/**
 * The key that signs: of the `--keystore` file, else of `PRIVATE_KEY`, else of `MNEMONIC`, else, on a local node only,
 * the public test deployer's. Undefined when there is none.
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`; never with a part of the key.
 */
export async function readKey(
  io: Io,
  options: { readonly keystore: string | undefined; readonly onLocalNode: boolean; readonly scrubber: Scrubber },
): Promise<Setting<SigningKey> | undefined> {
  const { keystore, onLocalNode, scrubber } = options;
  const coinType = readCoinType(io.env["COIN_TYPE"]?.trim() ?? "");
  if (keystore !== undefined) {
    const hex = await readKeystore(io, keystore, scrubber);
    return { value: toPrivateKey(hex, keystore, coinType), source: "--keystore" };
  }
  const hex = io.env["PRIVATE_KEY"]?.trim() ?? "";
  const words = io.env["MNEMONIC"]?.trim() ?? "";
  if (hex !== "" && words !== "") throw invalid("PRIVATE_KEY and MNEMONIC are both set: keep only the signer's");
  if (hex !== "") return { value: toPrivateKey(hex, "PRIVATE_KEY", coinType), source: "PRIVATE_KEY" };
  if (words !== "") return { value: toMnemonic(words, coinType), source: "MNEMONIC" };
  if (!onLocalNode) return undefined;
  const { testAccounts } = await import("@vipscore/localnet");
  const value = { kind: "mnemonic", words: testAccounts.deployer.mnemonic, coinType } as const;
  return { value, source: "public test account, local node" };
}

/** The error for a command that has to sign and has no key. */
export function noKey(): InputError {
  return new InputError("no signing key", {
    code: "KEY_INVALID",
    metaMessages: [
      "Set PRIVATE_KEY or MNEMONIC in the environment, or name an encrypted keystore with --keystore FILE.",
    ],
  });
}

function readCoinType(text: string): CoinType {
  if (text === "" || text === "60") return 60;
  if (text === "118") return 118;
  throw new InputError(`COIN_TYPE "${text}" is neither 60 (as on Ethereum) nor 118 (as on Cosmos chains)`, {
    code: "CONFIG_INVALID",
  });
}

function toPrivateKey(key: string, source: string, coinType: CoinType): SigningKey {
  const digits = /^(0x)?([0-9a-f]{64})$/i.exec(key)?.[2];
  try {
    if (digits !== undefined) {
      const hex = `0x${digits}` as const;
      privateKeyToAccount(hex);
      return { kind: "privateKey", hex, coinType };
    }
  } catch {
    // Zero or beyond the order of the curve. The cause is not passed on: it may hold the value.
  }
  throw invalid(`${source} is not a private key: expected 64 hex digits, with or without 0x`);
}

/** One wrong word gives a valid key of another account, so the checksum that a mnemonic carries is looked at. */
function toMnemonic(text: string, coinType: CoinType): SigningKey {
  const words = text.split(/\s+/).join(" ");
  if (validateMnemonic(words, wordlist)) return { kind: "mnemonic", words, coinType };
  throw invalid("MNEMONIC is not a valid mnemonic: expected 12 to 24 English BIP-39 words with a valid checksum");
}

function invalid(message: string): InputError {
  return new InputError(message, { code: "KEY_INVALID" });
}
