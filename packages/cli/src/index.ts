export type { Clock } from "./io/clock.ts";
export type { DeviceTransport, InputStream, Io, OutputStream } from "./io/io.ts";
export { run } from "./run.ts";
