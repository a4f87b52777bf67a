import { VipError } from "@vipscore/core";
import { times } from "../times.ts";

/** Waits for an answer from the database, so that a hanging database also leads to an error. */
export async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // The error is made only then: its stack takes longer than a kept answer.
    timer = setTimeout(() => reject(databaseIsLate()), times.databaseMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function databaseIsLate(): VipError {
  return new VipError(`the database does not answer within ${times.databaseMs / 1000} s`, {
    code: "DATABASE_UNREACHABLE",
    metaMessages: ["Check that it runs and is not busy with something else."],
  });
}
