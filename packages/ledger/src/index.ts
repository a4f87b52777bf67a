export { type DeviceTransport, openUsbTransport } from "./device.ts";
export { openLedger, type LedgerAccount, type LedgerApp, type LedgerOptions } from "./openLedger.ts";
