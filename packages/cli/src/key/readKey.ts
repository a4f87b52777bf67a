import { InputError, readJsonFile, VipError, type Vm } from "@vipscore/core";
import { openKeystore, privateKeyOf, type AccountKey } from "@vipscore/core/keys";
import { pathOf } from "../contract/readTable.ts";
import { ask, canAsk, type Io } from "../io.ts";
import type { Scrubber } from "../output/scrubber.ts";
import type { CoinType, SigningKey } from "../rollup/rollup.ts";
import { rollups } from "../rollup/rollups.ts";
import type { Setting } from "../settings/settings.ts";

/**
 * Returns the signing key: from the `--keystore` file, else from `PRIVATE_KEY`, else from `MNEMONIC`, else, on a local node
 * only, the public test deployer's. Undefined if there is none.
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`; never containing a part of the key.
 */
export async function readKey(
  io: Io,
  options: {
    readonly vm: Vm;
    readonly keystore: string | undefined;
    readonly onLocalNode: boolean;
    readonly scrubber: Scrubber;
  },
): Promise<Setting<SigningKey> | undefined> {
  const { vm, keystore, onLocalNode, scrubber } = options;
  const coinType = readCoinType(io, vm);
  const signing = (key: AccountKey, source: string): Setting<SigningKey> => {
    const privateKey = `0x${Buffer.from(toPrivateKey({ ...key, coinType }, source)).toString("hex")}` as const;
    scrubber.addSecret(privateKey);
    return { value: { coinType, privateKey }, source };
  };
  if (keystore !== undefined) {
    const privateKey = await readKeystore(io, keystore, scrubber);
    return { ...signing({ privateKey }, keystore), source: "--keystore" };
  }
  const privateKey = io.env["PRIVATE_KEY"]?.trim() ?? "";
  const mnemonic = io.env["MNEMONIC"]?.trim() ?? "";
  if (privateKey !== "" && mnemonic !== "") {
    throw invalid("PRIVATE_KEY and MNEMONIC are both set: keep only the signer's");
  }
  if (privateKey !== "") return signing({ privateKey }, "PRIVATE_KEY");
  if (mnemonic !== "") return signing({ mnemonic }, "MNEMONIC");
  if (!onLocalNode) return undefined;
  const { testAccounts } = await import("@vipscore/core/testAccounts");
  return signing({ mnemonic: testAccounts.deployer.mnemonic }, "public test account, local node");
}

/**
 * Decrypts the private key of an Ethereum V3 keystore file (geth, Foundry's `cast wallet`). The password comes from
 * `KEYSTORE_PASSWORD`, or from a prompt without echo on a terminal.
 */
async function readKeystore(io: Io, name: string, scrubber: Scrubber): Promise<`0x${string}`> {
  const { value } = await readJsonFile(pathOf(io, name), {
    name,
    refuse: (place, problem) => invalid(`${place} ${problem}`),
    signal: io.signal,
  });
  const decrypt = openKeystore(value);
  if (decrypt === undefined) throw invalid(`${name} is not an Ethereum keystore of version 3`);
  const password = io.env["KEYSTORE_PASSWORD"] ?? (await askPassword(io, name));
  scrubber.addSecret(password);
  try {
    return decrypt(password);
  } catch (error) {
    if (VipError.isVipError(error)) throw invalid(`the keystore ${name} ${error.shortMessage}`);
    // The cause adds nothing: only the checksum of key and ciphertext can differ.
    throw invalid(`the keystore ${name} cannot be opened: the password is wrong or the file is damaged`);
  }
}

async function askPassword(io: Io, file: string): Promise<string> {
  const password = canAsk(io) ? await ask(io, `Password of ${file}: `, { hidden: true }) : undefined;
  if (password !== undefined) return password;
  throw invalid(`no password for the keystore ${file}`, "Set KEYSTORE_PASSWORD, or run on a terminal to be asked.");
}

/** @throws InputError `CONFIG_INVALID`. */
export function readCoinType({ env }: Io, vm: Vm): CoinType {
  const text = env["COIN_TYPE"]?.trim() ?? "";
  if (text === "" || text === "60") return 60;
  if (text === "118") return rollups[vm].coinTypes.includes(118) ? 118 : 60;
  throw new InputError(`COIN_TYPE "${text}" is neither 60 (as on Ethereum) nor 118 (as on Cosmos chains)`, {
    code: "CONFIG_INVALID",
  });
}

/** @throws InputError `KEY_INVALID`, naming the source; never containing a part of the key. */
function toPrivateKey(key: AccountKey, source: string): Uint8Array {
  try {
    return privateKeyOf(key);
  } catch (error) {
    if (!VipError.isVipError(error)) throw error;
    throw invalid(`${source}: ${error.shortMessage}`, ...error.metaMessages);
  }
}

function invalid(message: string, ...metaMessages: readonly string[]): InputError {
  return new InputError(message, { code: "KEY_INVALID", metaMessages });
}
