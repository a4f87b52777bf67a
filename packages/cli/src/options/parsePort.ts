import { InputError } from "@vipscore/core/errors";

/** Returns the parser of a port option; its errors name the option. */
export function parsePort(option: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    throw new InputError(`${option} "${text}" is not a port from 0 to 65535`);
  };
}
