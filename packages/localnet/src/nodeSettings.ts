import { VipError } from "@vipscore/core";

/**
 * Checks a port: an integer from 0 to 65535, 0 for any free port.
 * @throws CONFIG_INVALID
 */
export function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new VipError(`port ${port} is not a port: use a whole number from 0 (any free port) to 65535`, {
    code: "CONFIG_INVALID",
  });
}

/**
 * Checks a block interval in milliseconds: a whole number from 1 to 3,600,000; undefined stays undefined.
 * @throws CONFIG_INVALID
 */
export function checkBlockTime(blockTimeMs: number | undefined): number | undefined {
  if (blockTimeMs === undefined) return undefined;
  if (Number.isInteger(blockTimeMs) && blockTimeMs >= 1 && blockTimeMs <= 3_600_000) return blockTimeMs;
  throw new VipError(`block time ${blockTimeMs} cannot be used: give whole milliseconds from 1 to 3600000`, {
    code: "CONFIG_INVALID",
  });
}

/** The error for a port that another program listens on. */
export function portInUse(port: number, cause?: unknown): VipError {
  return new VipError(`port ${port} on 127.0.0.1 is in use by another program`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Stop that program, choose another port, or omit the port to get a free one."],
    ...(cause === undefined ? {} : { cause }),
  });
}
