import { createRequire } from "node:module";
import { DeviceError } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import type { DeviceTransport } from "../io.ts";

/** The package that talks to devices over USB; installed only by people who use one, because it compiles native code. */
const transportPackage = "@ledgerhq/hw-transport-node-hid-noevents";

/**
 * Opens the first hardware wallet on USB.
 *
 * @throws DeviceError `DEVICE_MISSING` when the package is not installed or no device can be opened.
 */
export async function openUsbTransport(): Promise<DeviceTransport> {
  const open = loadOpen();
  try {
    return await open();
  } catch (cause) {
    throw noDevice(cause);
  }
}

function loadOpen(): () => Promise<DeviceTransport> {
  let loaded: unknown;
  try {
    // An import would load the package's files for bundlers, which Node cannot resolve.
    loaded = createRequire(import.meta.url)(transportPackage);
  } catch (cause) {
    throw new DeviceError(`the package ${transportPackage}, which talks to hardware wallets, is not installed`, {
      code: "DEVICE_MISSING",
      metaMessages: [
        `Install it next to vipscore: npm install ${transportPackage} (with -g if vipscore is installed with -g).`,
      ],
      cause,
    });
  }
  const transport = isObject(loaded) ? loaded["default"] : undefined;
  if (!isTransportClass(transport)) throw new Error(`${transportPackage} exports no transport`);
  return () => transport.open();
}

function isTransportClass(value: unknown): value is { open(): Promise<DeviceTransport> } {
  return typeof value === "function" && "open" in value && typeof value.open === "function";
}

/** Returns the error for a device that cannot be opened; the native package reports every reason with its own text. */
function noDevice(cause: unknown): DeviceError {
  const details = cause instanceof Error ? cause.message : String(cause);
  if (details === "NoDevice") {
    return new DeviceError("no hardware wallet is connected", {
      code: "DEVICE_MISSING",
      metaMessages: ["Connect it over USB, unlock it and open its app."],
      cause,
    });
  }
  if (details.startsWith("Could not locate the bindings file")) {
    return new DeviceError(`the native part of ${transportPackage} is not built`, {
      code: "DEVICE_MISSING",
      metaMessages: [
        "Run: npm rebuild node-hid",
        "Without a prebuilt file for your system that needs a C++ compiler, and on Linux the headers of libusb and libudev.",
      ],
      cause,
    });
  }
  return new DeviceError("the hardware wallet cannot be opened", {
    code: "DEVICE_MISSING",
    metaMessages: [
      "Close other programs that use it, such as Ledger Live.",
      "On Linux, the udev rules of Ledger let users open it.",
    ],
    details,
    cause,
  });
}
