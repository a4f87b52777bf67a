import { formatChecksummed, InputError, type Vm } from "@vipscore/core";
import { readRemoteKeys, type RemoteKey } from "@vipscore/core/keys";
import type { Context } from "../context.ts";
import { parseAccountArgument } from "../options.ts";
import type { Setting } from "../settings/settings.ts";
import { readCoinType } from "./readKey.ts";

/** Most addresses that a message lists. */
const maxListed = 20;

/**
 * Opens the key of a remote signer that has the address, in any spelling, or its only key.
 *
 * @throws InputError `KEY_INVALID`, `CONFIG_INVALID`; VipError `SIGNER_UNREACHABLE`, `SIGNER_FAILED`.
 */
export async function openRemoteSigner(
  { io, scrubber }: Context,
  vm: Vm,
  { value: url, source }: Setting<string>,
  address: string | undefined,
): Promise<RemoteKey> {
  scrubber.addUrl(url);
  const wanted = address === undefined ? undefined : parseAccountArgument(address, "evm");
  const isFlag = source === "--remote-signer";
  const other = ["PRIVATE_KEY", "MNEMONIC"].find((name) => (io.env[name]?.trim() ?? "") !== "");
  if (other !== undefined && !isFlag) {
    throw invalid(`${other} and the remote signer of ${source} are both set: keep only the signer's`);
  }
  if (readCoinType(io, vm) === 118) {
    throw new InputError("a remote signer hashes by Keccak-256, as keys of COIN_TYPE 60 do, not 118: unset COIN_TYPE", {
      code: "CONFIG_INVALID",
    });
  }
  const keys = await readRemoteKeys(url, { signal: io.signal });
  const found = wanted === undefined ? keys : keys.filter(({ account }) => account === wanted);
  const [key, ...more] = found;
  if (key !== undefined && more.length === 0) return key;
  const listed = keys.slice(0, maxListed).map(({ account }) => formatChecksummed(account));
  const left = keys.length - listed.length;
  const list = `Its keys: ${listed.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  if (keys.length === 0) throw invalid(`the remote signer of ${source} has no key`);
  if (wanted !== undefined)
    throw invalid(`the remote signer of ${source} has no key of ${formatChecksummed(wanted)}`, list);
  throw invalid(`the remote signer of ${source} has ${keys.length} keys: choose one with --signer <address>`, list);
}

function invalid(message: string, ...metaMessages: readonly string[]): InputError {
  return new InputError(message, { code: "KEY_INVALID", metaMessages });
}
