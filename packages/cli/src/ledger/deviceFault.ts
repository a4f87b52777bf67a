import { DeviceError, type DeviceErrorCode } from "@vipscore/core";
import { valueAt } from "../optionalPackage.ts";
import type { LedgerAppFacts } from "./ledgerApp.ts";

/** Locked, by the device's operating system: current, on some models, and on old firmware. */
const locked: ReadonlySet<number> = new Set([0x5515, 0x6b0c, 0x6982, 0x6804]);

/** Commands that the open app, or the dashboard, does not know. */
const otherApp: ReadonlySet<number> = new Set([0x6e00, 0x6e01, 0x6d00, 0x6d02, 0x650f, 0x6511]);

/** The person refused a question of the operating system. */
const refusedBySystem = 0x5501;

/** The errors of a transport whose device was unplugged. */
const disconnections: ReadonlySet<unknown> = new Set(["DisconnectedDevice", "DisconnectedDeviceDuringOperation"]);

/** Returns the error for a command that failed on the device. */
export function deviceFault(cause: unknown, { name, refusals }: LedgerAppFacts): DeviceError {
  const make = (code: DeviceErrorCode, message: string, ...metaMessages: readonly string[]): DeviceError => {
    const details = cause instanceof Error ? cause.message : String(cause);
    return new DeviceError(message, { code, metaMessages, details, cause });
  };
  const status = valueAt(cause, "statusCode");
  if (typeof status !== "number") {
    const isGone = disconnections.has(valueAt(cause, "name"));
    return isGone
      ? make("DEVICE_MISSING", "the hardware wallet was disconnected", "Connect it and run the same command again.")
      : make("DEVICE_FAILED", "the hardware wallet did not answer");
  }
  if (refusals.includes(status) || status === refusedBySystem) {
    return make("DEVICE_REFUSED", "refused on the hardware wallet", "This transaction was not sent.");
  }
  if (locked.has(status)) {
    return make("DEVICE_LOCKED", "the hardware wallet is locked", "Enter its PIN and run the same command again.");
  }
  if (otherApp.has(status)) {
    const next = `Open the ${name} app and run the same command again.`;
    return make("DEVICE_WRONG_APP", `the hardware wallet does not show the ${name} app`, next);
  }
  const word = `0x${status.toString(16).padStart(4, "0")}`;
  return make("DEVICE_FAILED", `the ${name} app refused a command with the status ${word}`);
}
