import { VipError } from "@vipscore/core";

/** How long a database may take, in milliseconds: less than the server lets a connection be idle. */
const mostMs = 8_000;

/**
 * Waits for an answer out of the database, so that a database that hangs is answered with an error too.
 *
 * @throws VipError DATABASE_UNREACHABLE after 8 s; what the work throws.
 */
export async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new VipError(`the database does not answer within ${mostMs / 1000} s`, {
      code: "DATABASE_UNREACHABLE",
      metaMessages: ["See that it runs and is not busy with something else."],
    });
    timer = setTimeout(() => reject(error), mostMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
