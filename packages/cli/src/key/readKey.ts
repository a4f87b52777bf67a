import { InputError, VipError, type Vm } from "@vipscore/core";
import { privateKeyOf, type AccountKey } from "@vipscore/core/keys";
import type { Io } from "../io.ts";
import type { Scrubber } from "../output/scrubber.ts";
import type { CoinType, SigningKey } from "../rollup/rollup.ts";
import { rollups } from "../rollup/rollups.ts";
import type { Setting } from "../settings/settings.ts";

/** Places to look for a key, and the VM that it is for. */
interface ReadKeyOptions {
  readonly vm: Vm;
  readonly keystore: string | undefined;
  readonly onLocalNode: boolean;
  readonly scrubber: Scrubber;
}

/**
 * Returns the signing key: from the `--keystore` file, else from `PRIVATE_KEY`, else from `MNEMONIC`, else, on a local node
 * only, the public test deployer's. Undefined if there is none.
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`; never containing a part of the key.
 */
export async function readKey(io: Io, options: ReadKeyOptions): Promise<Setting<SigningKey> | undefined> {
  const { vm, keystore, onLocalNode, scrubber } = options;
  const configured = readCoinType(io.env["COIN_TYPE"]?.trim() ?? "");
  const coinType = rollups[vm].coinTypes.includes(configured) ? configured : 60;
  const signing = (key: AccountKey, source: string): Setting<SigningKey> => {
    const privateKey = `0x${Buffer.from(toPrivateKey({ ...key, coinType }, source)).toString("hex")}` as const;
    scrubber.addSecret(privateKey);
    return { value: { coinType, privateKey }, source };
  };
  if (keystore !== undefined) {
    const { readKeystore } = await import("./readKeystore.ts");
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

function readCoinType(text: string): CoinType {
  if (text === "" || text === "60") return 60;
  if (text === "118") return 118;
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
    throw invalid(`${source}: ${error.shortMessage}`);
  }
}

function invalid(message: string): InputError {
  return new InputError(message, { code: "KEY_INVALID" });
}
