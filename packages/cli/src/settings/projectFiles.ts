import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileUnwritable, ifExists, InputError, readJsonFile, writeWholeFile, type Vm } from "@vipscore/core";
import {
  fields,
  list,
  matching,
  object,
  optional,
  text,
  u64,
  withSchema,
  type Field,
  type ReadField,
} from "@vipscore/core/field";
import { pathOf } from "../contract/readTable.ts";
import type { Io } from "../io.ts";
import { keyLikeParts } from "../output/scrubber.ts";
import { pagePattern, settings, type FileSetting, type SettingFacts } from "./settings.ts";

/** Default name of the settings file, in the current folder. */
const configFileName = "vipscore.config.json";

export interface ConfigFile extends ReturnType<typeof readConfig> {
  readonly name: string;
}

const word = settingThat((value) => keyLikeParts(value).length === 0);
/** An address may have as many digits as a key. */
const address = settingThat((value) => keyLikeParts(value).length === 0 || /^0x[0-9a-f]{64}$/i.test(value));
/** A URL may contain an access token. */
const url = settingThat(() => true);

const readers: Readonly<Record<SettingFacts["kind"], ReadField<string | undefined>>> = {
  word,
  address,
  url,
  page: optional(matching(pagePattern, "the URL of a page, without a user's name")),
  chainId: readChainId,
  secret: settingThat(() => false),
};
const keys = Object.entries<SettingFacts>(settings).filter(([, { inFile }]) => inFile);
const readSettingsOfFile: ReadField<Readonly<Partial<Record<FileSetting, string | undefined>>>> = fields(
  // The first is for editors.
  Object.fromEntries([["$schema", word], ...keys.map(([key, { kind }]) => [key, readers[kind]] as const)]),
);
/** What `guard` compares a contract with: accounts in any spelling, and the most that a total may change between two rounds. */
export const readGuard = optional(
  object({
    owner: address,
    finalizer: address,
    members: optional(list(matching(/^/, "a text"))),
    maxTotalChange: optional(withSchema({ type: "string" }, u64)),
  }),
);
const readConfig = (file: Field) => ({ ...readSettingsOfFile(file), guard: readGuard(file.at("guard")) });
const secretName = /key|mnemonic|secret|password|passphrase|seed|credential/i;

/**
 * Reads `vipscore.config.json` of a folder, or the file that `--config` names; false reads none: the folder may be a stranger's.
 * A missing default file is not an error.
 */
export async function readConfigFile(io: Io, named: string | false | undefined): Promise<ConfigFile> {
  if (named === false) return { name: configFileName, guard: undefined };
  const name = named ?? configFileName;
  const reading = readJsonFile(pathOf(io, name), { name, refuse, signal: io.signal });
  const file = await (named === undefined ? ifExists(reading) : reading);
  if (file === undefined) return { name, guard: undefined };
  for (const key of file.names) {
    if (key === "$schema" || key === "guard" || keys.some(([known]) => known === key)) continue;
    const unknown = file.at(key);
    if (secretName.test(key) || keyLikeParts(key).length > 0) throw looksSecret(unknown);
    unknown.fail("is not a known key");
  }
  return { name, ...readConfig(file) };
}

/** Returns a reader of optional texts, which refuses what looks like a secret. */
function settingThat(isPublic: (value: string) => boolean): ReadField<string | undefined> {
  return optional((field) => {
    const { value } = field;
    // The value is not shown, because it may be a secret.
    if (typeof value !== "string") return field.fail("is not text");
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
  const known = `Known keys: ${keys.map(([key]) => key).join(", ")}.`;
  return new InputError(`${place} ${problem}`, { code: "CONFIG_INVALID", metaMessages: [known] });
}

/** The file in which `vipscore deploy` records contracts, relative to the current folder. */
export const deploymentsFileName = ".vipscore/deployments.json";

export interface Deployment {
  readonly address: string;
  /** Hash of the transaction that created it; absent if it already existed. */
  readonly txHash?: string | undefined;
  /** The errors of another contract than ours, to name them in a refusal. */
  readonly errors?: readonly string[] | undefined;
}

const readRecord = fields({ address: text, txHash: optional(text), errors: optional(list(matching(/^/, "a text"))) });

/** Returns the contract that was last deployed from this folder on a chain. */
export async function readDeployment(io: Io, vm: Vm, chainId: string): Promise<Deployment | undefined> {
  return (await readDeployments(io))[`${vm}:${chainId}`];
}

/** Checks that a deployment can be recorded, before it is paid for. */
export async function requireRecordable(io: Io): Promise<void> {
  await writeDeployments(io, await readDeployments(io), "Nothing was sent.");
}

/** Records a contract as the one that later commands in this folder use on this chain; returns the one that they used so far. */
export async function recordDeployment(
  io: Io,
  vm: Vm,
  chainId: string,
  deployment: Deployment,
): Promise<string | undefined> {
  const [earlier, key] = [await readDeployments(io), `${vm}:${chainId}`];
  const { address: found } = deployment;
  const advice = `The contract exists at ${found} on chain ${chainId}: set --contract or CONTRACT_ADDRESS to use it.`;
  await writeDeployments(io, { ...earlier, [key]: deployment }, advice);
  return earlier[key]?.address;
}

async function writeDeployments({ cwd }: Io, all: Readonly<Record<string, Deployment>>, advice: string): Promise<void> {
  const file = join(cwd, deploymentsFileName);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeWholeFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
  } catch (cause) {
    throw fileUnwritable(deploymentsFileName, cause, [advice]);
  }
}

async function readDeployments(io: Io): Promise<Readonly<Record<string, Deployment>>> {
  const file = await ifExists(
    readJsonFile(pathOf(io, deploymentsFileName), {
      name: deploymentsFileName,
      refuse: (place, problem) =>
        new InputError(`${place} ${problem}`, {
          code: "CONFIG_INVALID",
          metaMessages: ["Move it away and set --contract or CONTRACT_ADDRESS."],
        }),
      signal: io.signal,
    }),
  );
  if (file === undefined) return {};
  // Drops all other content, so that the file can always be written again.
  return Object.fromEntries(file.names.map((key) => [key, readRecord(file.at(key))]));
}
