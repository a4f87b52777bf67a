export type { Clock } from "./io/clock.ts";
export type { DeviceTransport } from "./ledger/deviceTransport.ts";
export type { InputStream, Io, OutputStream } from "./io/io.ts";
export { run } from "./run.ts";
