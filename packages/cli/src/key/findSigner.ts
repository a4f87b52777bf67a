import { InputError, type Vm } from "@vipscore/core";
import type { RemoteKey } from "@vipscore/core/keys";
import type { DeviceTransport, LedgerAccount, LedgerApp } from "@vipscore/ledger";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import type { SigningKey } from "../rollup/rollup.ts";
import { rollups } from "../rollup/rollups.ts";
import { readConfigFile } from "../settings/projectFiles.ts";
import { findSetting, type Setting } from "../settings/settings.ts";

export interface SignerFlags {
  readonly keystore?: string;
  readonly ledger?: LedgerApp;
  readonly path?: string;
  readonly remoteSigner?: string;
  /** The address of the remote signer's key. */
  readonly signer?: string;
  /** False takes no settings file of the current folder. */
  readonly config?: string | false;
}

/**
 * Finds what signs: what a flag names, else the remote signer of the settings or the key of the environment; undefined without
 * any. Loads the key libraries here, so that only commands that sign wait for them.
 */
export async function findSigner(
  context: Context,
  { vm, onLocalNode }: { readonly vm: Vm; readonly onLocalNode: boolean },
  flags: SignerFlags,
): Promise<Setting<SigningKey | LedgerAccount | RemoteKey> | undefined> {
  const { io, scrubber } = context;
  const { keystore, ledger, remoteSigner, signer } = flags;
  const named = Object.entries({ "--ledger": ledger, "--keystore": keystore, "--remote-signer": remoteSigner });
  const signers = named.flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (signers.length > 1) throw new InputError(`${signers.join(" and ")} name ${signers.length} signers: keep one`);
  const config = await readConfigFile(io, flags.config);
  const remote =
    ledger === undefined && keystore === undefined
      ? findSetting("remoteSigner", { flags, env: io.env, config })
      : undefined;
  if (remote === undefined && signer !== undefined) {
    throw new InputError("--signer chooses a key of a remote signer: add --remote-signer");
  }
  const device = await openDevice(context, vm, flags);
  if (device !== undefined) return { value: device, source: "--ledger" };
  if (remote !== undefined) {
    const { openRemoteSigner } = await import("./remoteSigner.ts");
    return { value: await openRemoteSigner(context, vm, remote, signer), source: remote.source };
  }
  const { readKey } = await import("./readKey.ts");
  return readKey(io, { vm, keystore, onLocalNode, scrubber });
}

/** Connects to the hardware wallet that the flags name, until the command ends; undefined if they name none. */
async function openDevice(
  { io, output, atEnd }: Context,
  vm: Vm,
  { ledger, path }: SignerFlags,
): Promise<LedgerAccount | undefined> {
  if (ledger === undefined) {
    if (path !== undefined) throw new InputError("--path is the path of a hardware wallet: add --ledger");
    return undefined;
  }
  const { aRollup, coinTypes } = rollups[vm];
  if (ledger === "cosmos" && !coinTypes.includes(118)) {
    throw new InputError(`${aRollup} accepts only signatures of the Ethereum app: use --ledger ethereum`);
  }
  const { openLedger, openUsbTransport } = await optionalPackage("@vipscore/ledger");
  const open = async (): Promise<DeviceTransport> => {
    const transport = await (io.openDevice ?? openUsbTransport)();
    atEnd(async () => {
      if (!io.signal.aborted) return transport.close();
      // A question keeps the transport busy, and the process running, until the person answers it.
      output.note("if the device still asks, refuse there, or press Ctrl-C again");
    });
    return transport;
  };
  return openLedger(ledger, { path, open, note: (text) => output.note(text), signal: io.signal });
}

export function noSigner(): InputError {
  return new InputError("no signing key", {
    code: "KEY_INVALID",
    metaMessages: [
      "Set PRIVATE_KEY or MNEMONIC in the environment, name an encrypted keystore with --keystore FILE, or sign with --ledger or --remote-signer.",
    ],
  });
}

/** Asks the person to compare the device's address with the one on the terminal, before anything is signed. */
export async function confirmAddress({ output }: Context, device: LedgerAccount, address: string): Promise<void> {
  const { shownAddress } = device;
  const other = shownAddress === address ? "" : `, which is ${address} on this chain`;
  output.note(`check the address ${shownAddress} on the device${other}`);
  await device.confirmAddress();
}
