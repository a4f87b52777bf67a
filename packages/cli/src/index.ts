export type { Clock, DeviceTransport, InputStream, Io, OutputStream } from "./io.ts";
export { run } from "./run.ts";
