export type { DeviceTransport } from "@vipscore/ledger";
export type { Clock, InputStream, Io, OutputStream } from "./io.ts";
export { run } from "./run.ts";
