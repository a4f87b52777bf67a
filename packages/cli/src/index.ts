export type { Clock } from "./clock.ts";
export type { DeviceTransport } from "./ledger/deviceTransport.ts";
export type { InputStream, Io, OutputStream } from "./io.ts";
export { run } from "./run.ts";
