import { InputError } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import type { LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Io } from "../io.ts";
import type { Scrubber } from "../output/scrubber.ts";
import type { Setting } from "../settings/setting.ts";
import { readKeystore } from "./readKeystore.ts";

/**
 * The account that signs: of the `--keystore` file, else of `PRIVATE_KEY`, else, on a local node only, the public test
 * deployer. Undefined when there is none.
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`; never with a part of the key.
 */
export async function readSigner(
  io: Io,
  options: { readonly keystore: string | undefined; readonly onLocalNode: boolean; readonly scrubber: Scrubber },
): Promise<Setting<LocalAccount> | undefined> {
  const { keystore, onLocalNode, scrubber } = options;
  if (keystore !== undefined) {
    return { value: toAccount(await readKeystore(io, keystore, scrubber), keystore), source: "--keystore" };
  }
  const key = io.env["PRIVATE_KEY"]?.trim() ?? "";
  if (key !== "") return { value: toAccount(key, "PRIVATE_KEY"), source: "PRIVATE_KEY" };
  if (!onLocalNode) return undefined;
  return { value: toAccount(testAccounts.deployer.privateKey, "deployer"), source: "public test account, local node" };
}

/** The error for a command that has to sign and has no key. */
export function noKey(): InputError {
  return new InputError("no signing key", {
    code: "KEY_INVALID",
    metaMessages: ["Set PRIVATE_KEY in the environment, or name an encrypted keystore with --keystore FILE."],
  });
}

function toAccount(key: string, source: string): LocalAccount {
  const digits = /^(0x)?([0-9a-f]{64})$/i.exec(key)?.[2];
  try {
    if (digits !== undefined) return privateKeyToAccount(`0x${digits}`);
  } catch {
    // Zero or beyond the order of the curve. The cause is not passed on: it may hold the value.
  }
  throw new InputError(`${source} holds no private key: 64 hex digits, 0x in front or not`, { code: "KEY_INVALID" });
}
