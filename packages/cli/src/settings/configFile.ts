import { ifExists, InputError, readJsonFile } from "@vipscore/core";
import { object, optional, type Field, type ReadField } from "@vipscore/core/field";
import { pathOf } from "../contract/readTable.ts";
import type { Io } from "../io/io.ts";
import { keyLikeParts } from "../key/secrets.ts";

/** Default name of the settings file, in the current folder. */
export const configFileName = "vipscore.config.json";

/** The contents of the settings file. */
export interface ConfigFile extends Partial<ReturnType<typeof readConfig>> {
  /** The file's name as given, or the default name. */
  readonly name: string;
}

const word = settingThat((text) => keyLikeParts(text).length === 0);
/** An address may have as many digits as a key. */
const address = settingThat((text) => keyLikeParts(text).length === 0 || /^0x[0-9a-f]{64}$/i.test(text));
/** A URL may contain an access token. */
const url = settingThat(() => true);

const settings = {
  vm: word,
  /** The rollup's endpoint, in its VM's protocol. */
  endpoint: url,
  /** Another node of the rollup, in the same protocol. */
  secondEndpoint: url,
  contract: address,
  /** As the chain spells it: decimal on EVM. */
  chainId: readChainId,
  gasPrices: word,
  rollupRestUrl: url,
  l1RestUrl: url,
  vipAddress: address,
  indexerUrl: url,
};

const readConfig = object(settings);
const secretName = /key|mnemonic|secret|password|passphrase|seed|credential/i;

/**
 * Reads `vipscore.config.json` of a folder, or the file that `--config` names. A missing default file is not an error.
 *
 * @param named False reads no file: the folder may be a stranger's.
 * @throws InputError `FILE_UNREADABLE` when the named file cannot be read; `CONFIG_INVALID` when a file is not a JSON object,
 * has an unknown key, a value of the wrong type or anything that looks like a secret.
 */
export async function readConfigFile(io: Io, named: string | false | undefined): Promise<ConfigFile> {
  if (named === false) return { name: configFileName };
  const name = named ?? configFileName;
  const reading = readJsonFile(pathOf(io, name), { name, refuse, signal: io.signal });
  const file = await (named === undefined ? ifExists(reading) : reading);
  if (file === undefined) return { name };
  for (const key of file.names) {
    if (Object.hasOwn(settings, key)) continue;
    const unknown = file.at(key);
    if (secretName.test(key) || keyLikeParts(key).length > 0) throw looksSecret(unknown);
    unknown.wrong("is not a known key");
  }
  return { name, ...readConfig(file) };
}

/** Returns a reader of optional texts, which refuses what looks like a secret. */
function settingThat(isPublic: (text: string) => boolean): ReadField<string | undefined> {
  return optional((field) => {
    const { value } = field;
    // The value is not shown, because it may be a secret.
    if (typeof value !== "string") return field.wrong("is not text");
    if (!isPublic(value)) throw looksSecret(field);
    return value;
  });
}

/** A chain ID may be a number. */
function readChainId(field: Field): string | undefined {
  return Number.isSafeInteger(field.value) ? String(field.value) : word(field);
}

function looksSecret({ place }: Field): InputError {
  return new InputError(`${place} looks like a secret, and a settings file ends up in a repository`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Remove it, and set PRIVATE_KEY in the environment or use an encrypted --keystore file."],
  });
}

function refuse(place: string, problem: string): InputError {
  const known = `Known keys: ${Object.keys(settings).join(", ")}.`;
  return new InputError(`${place} ${problem}`, { code: "CONFIG_INVALID", metaMessages: [known] });
}
