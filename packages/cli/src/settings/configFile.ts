import { resolve } from "node:path";
import { InputError, systemErrorCode } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import { readFileText } from "../files/readFileText.ts";
import type { Io } from "../io/io.ts";
import { keyLikeParts } from "../key/secrets.ts";

/** Default name of the settings file, in the current folder. */
export const configFileName = "vipscore.config.json";

/** The contents of the settings file. */
export interface ConfigFile {
  /** The file's name as given, or the default name. */
  readonly name: string;
  readonly vm?: string;
  /** The rollup's endpoint, in its VM's protocol. */
  readonly endpoint?: string;
  readonly contract?: string;
  /** As the chain spells it: decimal on EVM. */
  readonly chainId?: string;
  readonly gasPrices?: string;
  readonly l1RestUrl?: string;
  readonly vipAddress?: string;
  readonly indexerUrl?: string;
}

const keys = ["vm", "endpoint", "contract", "chainId", "gasPrices", "l1RestUrl", "vipAddress", "indexerUrl"] as const;
const secretName = /key|mnemonic|secret|password|passphrase|seed|credential/i;

/**
 * Reads `vipscore.config.json` of a folder, or the file that `--config` names. A missing default file is not an error.
 *
 * @throws InputError `FILE_UNREADABLE` when the named file cannot be read; `CONFIG_INVALID` when a file is not a JSON object,
 * has an unknown key, a value of the wrong type or anything that looks like a secret.
 */
export async function readConfigFile(io: Io, named: string | undefined): Promise<ConfigFile> {
  const name = named ?? configFileName;
  const text = await readText(io, name, named === undefined);
  if (text === undefined) return { name };
  return { name, ...parseConfig(text, name) };
}

async function readText(io: Io, name: string, optional: boolean): Promise<string | undefined> {
  try {
    return await readFileText(resolve(io.cwd, name), io);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (optional && code === "ENOENT") return undefined;
    throw new InputError(`the settings file ${name} cannot be read`, {
      code: "FILE_UNREADABLE",
      details: code,
      cause,
    });
  }
}

function parseConfig(text: string, name: string): Omit<ConfigFile, "name"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text around the error, which may be a key pasted into the wrong file.
    throw invalid(`${name} is not JSON`, `Expected an object with any of: ${keys.join(", ")}.`);
  }
  if (!isObject(value)) throw invalid(`${name} is not a JSON object`);
  const config: { -readonly [key in (typeof keys)[number]]?: string } = {};
  for (const [key, item] of Object.entries(value)) {
    const known = keys.find((candidate) => candidate === key);
    if (known === undefined) throw unknownKey(key, name);
    // A chain ID may be a number; every other value is text.
    const isNumber = known === "chainId" && typeof item === "number" && Number.isSafeInteger(item);
    if (typeof item !== "string" && !isNumber) throw invalid(`${name}: "${key}" is not text`);
    const setting = String(item);
    // A URL may contain an access token, and an address may have as many digits as a key.
    const isAddress = known === "contract" || known === "vipAddress";
    const mayBeLong = known === "endpoint" || known.endsWith("Url") || (isAddress && /^0x[0-9a-f]{64}$/i.test(setting));
    if (!mayBeLong && keyLikeParts(setting).length > 0) throw looksSecret(key, name);
    config[known] = setting;
  }
  return config;
}

function unknownKey(key: string, name: string): InputError {
  if (secretName.test(key) || keyLikeParts(key).length > 0) return looksSecret(key, name);
  return invalid(`${name}: unknown key "${key}"`, `Known keys: ${keys.join(", ")}.`);
}

function looksSecret(key: string, name: string): InputError {
  const what = keyLikeParts(key).length > 0 ? "a key" : `"${key}"`;
  return invalid(
    `${name}: ${what} looks like a secret, and a settings file ends up in a repository`,
    "Remove it, and set PRIVATE_KEY in the environment or use an encrypted --keystore file.",
  );
}

function invalid(message: string, ...metaMessages: readonly string[]): InputError {
  return new InputError(message, { code: "CONFIG_INVALID", metaMessages });
}
