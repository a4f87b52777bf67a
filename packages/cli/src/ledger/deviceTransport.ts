/** A connection to a hardware wallet. The transports of the `@ledgerhq/hw-transport-…` packages have this form. */
export interface DeviceTransport {
  /**
   * Sends one command and returns the answer with its status word, the last two bytes. Rejects with an error whose `statusCode`
   * is the status word unless that is 0x9000.
   */
  send(cla: number, ins: number, p1: number, p2: number, data?: Buffer): Promise<Uint8Array>;
  close(): Promise<void>;
}
