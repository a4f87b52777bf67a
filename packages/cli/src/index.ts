export type { Clock } from "./io.ts";
export type { DeviceTransport, InputStream, Io, OutputStream } from "./io.ts";
export { run } from "./run.ts";
