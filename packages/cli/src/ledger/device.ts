import { DeviceError } from "@vipscore/core";
import type { DeviceTransport } from "../io.ts";
import { deviceFault } from "./deviceFault.ts";
import type { LedgerAppFacts } from "./ledgerApp.ts";

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
   * @throws DeviceError; the signal's reason when aborted.
   */
  async send({ cla, ins, p1 = 0, p2 = 0, data = new Uint8Array() }: Command): Promise<Uint8Array> {
    this.#signal.throwIfAborted();
    let answer: Uint8Array;
    try {
      answer = await this.#untilAborted(this.#transport.send(cla, ins, p1, p2, Buffer.from(data)));
    } catch (error) {
      this.#signal.throwIfAborted();
      throw deviceFault(error, this.app);
    }
    return answer.subarray(0, -2);
  }

  /** Returns the error for an answer that does not have the form of the app's. */
  malformed(): DeviceError {
    return new DeviceError(`the ${this.app.name} app gave an answer that vipscore does not understand`, {
      code: "DEVICE_FAILED",
      metaMessages: ["Update the app with Ledger Live."],
    });
  }

  async #untilAborted<T>(work: Promise<T>): Promise<T> {
    const settled = new AbortController();
    const aborted = new Promise<never>((_resolve, reject) => {
      const stop = (): void => reject(this.#signal.reason);
      if (this.#signal.aborted) stop();
      this.#signal.addEventListener("abort", stop, { once: true, signal: settled.signal });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      settled.abort();
    }
  }
}
