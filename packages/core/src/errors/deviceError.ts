import { VipError, type VipErrorOptions } from "./vipError.ts";

/** Why a signing device did not sign. */
export type DeviceErrorCode =
  "DEVICE_MISSING" | "DEVICE_LOCKED" | "DEVICE_WRONG_APP" | "DEVICE_FAILED" | "DEVICE_REFUSED";

/** A signing device did not sign; the transaction in question was not sent. */
export class DeviceError extends VipError {
  static override readonly className: string = "DeviceError";

  override readonly name: string = "DeviceError";
  override readonly code: DeviceErrorCode;

  constructor(shortMessage: string, options: Omit<VipErrorOptions, "code"> & { readonly code: DeviceErrorCode }) {
    super(shortMessage, options);
    this.code = options.code;
  }
}
