import { InputError } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";

/** The key that deploys and pushes. */
export type BenchKey = { readonly privateKey: `0x${string}` } | { readonly mnemonic: string };

/** The public test deployer's, which every local node funds. */
export const localKey: BenchKey = { mnemonic: testAccounts.deployer.mnemonic };

/**
 * Returns the key of `PRIVATE_KEY` or `MNEMONIC`, one of which must be set.
 *
 * @throws InputError `KEY_INVALID`; its message never contains any part of the key.
 */
export function readBenchKey(env: NodeJS.ProcessEnv): BenchKey {
  const hex = env["PRIVATE_KEY"]?.trim() ?? "";
  const words = env["MNEMONIC"]?.trim() ?? "";
  if ((hex === "") === (words === "")) {
    throw new InputError("--endpoint needs a key: set either PRIVATE_KEY or MNEMONIC", { code: "KEY_INVALID" });
  }
  if (words !== "") return { mnemonic: words };
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(hex)?.[1];
  if (digits === undefined) throw new InputError("PRIVATE_KEY is not 64 hex digits", { code: "KEY_INVALID" });
  return { privateKey: `0x${digits}` };
}
