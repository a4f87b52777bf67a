import { createRequire } from "node:module";
import { VipError, type ErrorCode } from "@vipscore/core";
import { orAborted } from "@vipscore/core/engine";
import { isObject } from "@vipscore/core/wire";

/** A connection to a hardware wallet. The transports of the `@ledgerhq/hw-transport-…` packages have this form. */
export interface DeviceTransport {
  /**
   * Sends one command and returns the answer with its status word, the last two bytes. Rejects with an error whose `statusCode`
   * is the status word unless that is 0x9000.
   */
  send(cla: number, ins: number, p1: number, p2: number, data?: Buffer): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Facts that are known about an app before a device is asked. */
export interface LedgerAppFacts {
  /** Its name on the device. */
  readonly name: string;
  readonly coinType: 60 | 118;
  /**
   * Most bytes of a transaction in amino JSON. The Ethereum app holds the document and its display text in 16 KiB (since
   * version 1.18), the Cosmos app the document in 16,384 bytes.
   */
  readonly maxDocumentBytes: number;
  /** The status words with which it reports that the person refused, in addition to those of the operating system. */
  readonly refusals: readonly number[];
}

export interface LedgerAddress {
  /** The compressed point, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** As the device shows it: with its checksum, or in bech32 with the prefix `cosmos`. */
  readonly address: string;
}

/** A command to an app, as ISO 7816 frames it. */
interface Command {
  readonly cla: number;
  readonly ins: number;
  readonly p1?: number;
  readonly p2?: number;
  /** At most 255 bytes. */
  readonly data?: Uint8Array;
}

/** An app on a connected hardware wallet. */
export class Device {
  readonly app: LedgerAppFacts;
  readonly #transport: DeviceTransport;
  readonly #signal: AbortSignal;

  constructor(transport: DeviceTransport, { app, signal }: { app: LedgerAppFacts; signal: AbortSignal }) {
    this.app = app;
    this.#transport = transport;
    this.#signal = signal;
  }

  /**
   * Sends a command and returns the answer, without its status word. A person may take any time to answer, and no command can
   * take a question back, so an abort leaves it on the device.
   *
   * @throws VipError; the signal's reason when aborted.
   */
  async send({ cla, ins, p1 = 0, p2 = 0, data = new Uint8Array() }: Command): Promise<Uint8Array> {
    this.#signal.throwIfAborted();
    let answer: Uint8Array;
    try {
      answer = await orAborted(this.#transport.send(cla, ins, p1, p2, Buffer.from(data)), this.#signal);
    } catch (error) {
      this.#signal.throwIfAborted();
      throw deviceFault(error, this.app);
    }
    return answer.subarray(0, -2);
  }

  /** Returns the error for an answer that does not have the form of the app's. */
  malformed(): VipError {
    return new VipError(`the ${this.app.name} app gave an answer that is not understood`, {
      code: "DEVICE_FAILED",
      metaMessages: ["Update the app with Ledger Live."],
    });
  }
}

/** Locked, by the device's operating system: current, on some models, and on old firmware. */
const locked: ReadonlySet<number> = new Set([0x5515, 0x6b0c, 0x6982, 0x6804]);

/** Commands that the open app, or the dashboard, does not know. */
const otherApp: ReadonlySet<number> = new Set([0x6e00, 0x6e01, 0x6d00, 0x6d02, 0x650f, 0x6511]);

/** The person refused a question of the operating system. */
const refusedBySystem = 0x5501;

/** The errors of a transport whose device was unplugged. */
const disconnections: ReadonlySet<unknown> = new Set(["DisconnectedDevice", "DisconnectedDeviceDuringOperation"]);

function deviceFault(cause: unknown, { name, refusals }: LedgerAppFacts): VipError {
  const make = (code: ErrorCode, message: string, ...metaMessages: readonly string[]): VipError => {
    const details = cause instanceof Error ? cause.message : String(cause);
    return new VipError(message, { code, metaMessages, details, cause });
  };
  const { statusCode: status, name: kind }: Readonly<Record<string, unknown>> = isObject(cause) ? cause : {};
  if (typeof status !== "number") {
    return disconnections.has(kind)
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

/** The package that talks to devices over USB; installed only by people who use one, because it compiles native code. */
const transportPackage = "@ledgerhq/hw-transport-node-hid-noevents";

/**
 * Opens the first hardware wallet on USB.
 *
 * @throws VipError `DEVICE_MISSING` when the package is not installed or no device can be opened.
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
    throw new VipError(`the package ${transportPackage}, which talks to hardware wallets, is not installed`, {
      code: "DEVICE_MISSING",
      metaMessages: [{ code: "install-transport", text: `Install ${transportPackage}.` }],
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
function noDevice(cause: unknown): VipError {
  const details = cause instanceof Error ? cause.message : String(cause);
  if (details === "NoDevice") {
    return new VipError("no hardware wallet is connected", {
      code: "DEVICE_MISSING",
      metaMessages: ["Connect it over USB, unlock it and open its app."],
      cause,
    });
  }
  if (details.startsWith("Could not locate the bindings file")) {
    return new VipError(`the native part of ${transportPackage} is not built`, {
      code: "DEVICE_MISSING",
      metaMessages: [
        "Run: npm rebuild node-hid",
        "Without a prebuilt file for your system that needs a C++ compiler, and on Linux the headers of libusb and libudev.",
      ],
      cause,
    });
  }
  return new VipError("the hardware wallet cannot be opened", {
    code: "DEVICE_MISSING",
    metaMessages: [
      "Close other programs that use it, such as Ledger Live.",
      "On Linux, the udev rules of Ledger let users open it.",
    ],
    details,
    cause,
  });
}
