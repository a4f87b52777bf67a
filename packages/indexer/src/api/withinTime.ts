import { VipError } from "@vipscore/core";

/** Timeout of the database, in milliseconds: shorter than the server's idle timeout. */
const maxMs = 8_000;

/**
 * Waits for an answer from the database, so that a hanging database also leads to an error.
 *
 * @throws VipError DATABASE_UNREACHABLE after 8 s; any error of the work.
 */
export async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new VipError(`the database does not answer within ${maxMs / 1000} s`, {
      code: "DATABASE_UNREACHABLE",
      metaMessages: ["Check that it runs and is not busy with something else."],
    });
    timer = setTimeout(() => reject(error), maxMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
