import { InputError, readJsonFile } from "@vipscore/core";
import { pathOf } from "../contract/readTable.ts";
import { ask, canAsk, type Io } from "../io.ts";
import type { Scrubber } from "../output/scrubber.ts";
import { decryptKeystore, keystoreCrypto, type KeystoreCrypto } from "./decryptKeystore.ts";

/**
 * Decrypts the private key of an Ethereum V3 keystore file (geth, Foundry's `cast wallet`). The password comes from
 * `KEYSTORE_PASSWORD`, or from a prompt without echo on a terminal.
 *
 * @throws InputError `FILE_UNREADABLE`; `KEY_INVALID` when the file is not a V3 keystore, or the password is missing or wrong.
 */
export async function readKeystore(io: Io, file: string, scrubber: Scrubber): Promise<`0x${string}`> {
  const keystore = await readFileAsKeystore(io, file);
  const password = io.env["KEYSTORE_PASSWORD"] ?? (await askPassword(io, file));
  scrubber.addSecret(password);
  try {
    return decryptKeystore(keystore, password);
  } catch {
    // The cause adds nothing: only the checksum of key and ciphertext can differ.
    throw invalid(`the keystore ${file} cannot be opened: the password is wrong or the file is damaged`);
  }
}

async function readFileAsKeystore(io: Io, file: string): Promise<KeystoreCrypto> {
  const { value } = await readJsonFile(pathOf(io, file), {
    name: file,
    refuse: (place, problem) => invalid(`${place} ${problem}`),
    signal: io.signal,
  });
  const keystore = keystoreCrypto(value);
  if (keystore === undefined) throw invalid(`${file} is not an Ethereum keystore of version 3`);
  return keystore;
}

async function askPassword(io: Io, file: string): Promise<string> {
  const password = canAsk(io) ? await ask(io, `Password of ${file}: `, { hidden: true }) : undefined;
  if (password !== undefined) return password;
  throw invalid(`no password for the keystore ${file}`, "Set KEYSTORE_PASSWORD, or run on a terminal to be asked.");
}

function invalid(message: string, ...metaMessages: readonly string[]): InputError {
  return new InputError(message, { code: "KEY_INVALID", metaMessages });
}
