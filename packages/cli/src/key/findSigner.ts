import { InputError, type Vm } from "@vipscore/core";
import type { Context } from "../context.ts";
import { openLedger, type LedgerFlags } from "../ledger/openLedger.ts";
import type { SigningDevice } from "../ledger/signingDevice.ts";
import type { SigningKey } from "../rollup/rollup.ts";
import type { Setting } from "../settings/settings.ts";

/** The flags that say what signs. */
export interface SignerFlags extends LedgerFlags {
  readonly keystore?: string;
}

/** The chain to sign for. */
interface SignerChain {
  readonly vm: Vm;
  /** True if it is a local node, whose default key is a public test account's. */
  readonly onLocalNode: boolean;
}

/**
 * Finds what signs: the hardware wallet that the flags name, else the key of the flags or the environment; undefined without
 * either. Loads the key libraries here, so that only commands that sign wait for them.
 *
 * @throws InputError `INPUT_INVALID`, `KEY_INVALID`, `FILE_UNREADABLE`; DeviceError.
 */
export async function findSigner(
  context: Context,
  { vm, onLocalNode }: SignerChain,
  flags: SignerFlags,
): Promise<Setting<SigningKey | SigningDevice> | undefined> {
  const { io, scrubber } = context;
  const { keystore, ledger } = flags;
  if (keystore !== undefined && ledger !== undefined) {
    throw new InputError("--ledger and --keystore name two signers: keep one");
  }
  const device = await openLedger(context, vm, flags);
  if (device !== undefined) return { value: device, source: "--ledger" };
  const { readKey } = await import("./readKey.ts");
  return readKey(io, { vm, keystore, onLocalNode, scrubber });
}

/** Returns the error for a command that must sign and finds nothing that can. */
export function noSigner(): InputError {
  return new InputError("no signing key", {
    code: "KEY_INVALID",
    metaMessages: [
      "Set PRIVATE_KEY or MNEMONIC in the environment, name an encrypted keystore with --keystore FILE, or sign with --ledger.",
    ],
  });
}

/**
 * Asks the person to compare the device's address with the one on the terminal, before anything is signed.
 *
 * @param address As the chain spells it.
 * @throws DeviceError.
 */
export async function confirmAddress({ output }: Context, device: SigningDevice, address: string): Promise<void> {
  const { shownAddress } = device;
  const other = shownAddress === address ? "" : `, which is ${address} on this chain`;
  output.note(`check the address ${shownAddress} on the device${other}`);
  await device.confirmAddress();
}
