import { InputError, type Vm } from "@vipscore/core";
import type { Context } from "../context.ts";
import { rollups } from "../rollup/rollups.ts";
import { Device } from "./device.ts";
import { defaultPath, ledgerApps, parsePath, type LedgerApp } from "./ledgerApp.ts";
import { openUsbTransport } from "./openUsbTransport.ts";
import type { SigningDevice } from "./signingDevice.ts";

/** The flags of a hardware wallet. */
export interface LedgerFlags {
  readonly ledger?: LedgerApp;
  readonly path?: string;
}

/**
 * Connects to the hardware wallet that the flags name, until the command ends; undefined if they name none.
 *
 * @throws InputError `INPUT_INVALID`; DeviceError.
 */
export async function openLedger(
  { io, output, atEnd }: Context,
  vm: Vm,
  { ledger, path }: LedgerFlags,
): Promise<SigningDevice | undefined> {
  if (ledger === undefined) {
    if (path !== undefined) throw new InputError("--path is the path of a hardware wallet: add --ledger");
    return undefined;
  }
  const app = ledgerApps[ledger];
  const { aRollup, coinTypes } = rollups[vm];
  if (!coinTypes.includes(app.coinType)) {
    throw new InputError(`${aRollup} accepts only signatures of the Ethereum app: use --ledger ethereum`);
  }
  const elements = parsePath(path ?? defaultPath(app), app);
  const transport = await (io.openDevice ?? openUsbTransport)();
  atEnd(async () => {
    if (!io.signal.aborted) return transport.close();
    // A question keeps the transport busy, and the process running, until the person answers it.
    output.note("if the device still asks, refuse there, or press Ctrl-C again");
  });
  const device = new Device(transport, { app, signal: io.signal });
  // Loads the libraries of the curve, for which other commands need not wait.
  const { openCosmosAccount, openEthereumAccount } = await import("./signingDevice.ts");
  const open = ledger === "ethereum" ? openEthereumAccount : openCosmosAccount;
  return open(device, { path: elements, note: (text) => output.note(text) });
}
