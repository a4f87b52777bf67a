import { VipError } from "@vipscore/core";
import type { Store } from "../store/store.ts";
import { currentLag } from "./lag.ts";

/** Time for which a reading of the lag is used again, in milliseconds. */
const readEveryMs = 1_000;

/** The error of a request while the index is too far behind. */
export class Behind extends Error {
  override readonly name: string = "Behind";
}

/** Whether the index can be served. */
export interface Readiness {
  /** Resolves if it can. @throws Behind; VipError of the store. */
  readonly check: () => Promise<void>;
}

/**
 * Creates the check that precedes the answer of a listing, and of `/readyz`.
 *
 * @param maxLag - Maximum number of blocks that the index may be behind the chain. Default: any.
 */
export function createReadiness(store: Store, maxLag: number | undefined): Readiness {
  let read: { readonly lag: Promise<number | undefined>; readonly at: number } | undefined;
  return {
    check: async () => {
      if (maxLag === undefined) return;
      if (read === undefined || performance.now() - read.at > readEveryMs) {
        read = { lag: store.readStatus().then(currentLag), at: performance.now() };
      }
      const lag = await read.lag;
      if (lag === undefined)
        throw new Behind(
          "no follower has looked at the chain for a minute, or this database is a replica that stopped",
        );
      if (lag > maxLag) throw new Behind(`the index is ${lag} blocks behind the chain, more than ${maxLag}`);
    },
  };
}

/** Returns why the index cannot be served; undefined if it can. */
export async function whyNotReady(store: Store, readiness: Readiness): Promise<string | undefined> {
  try {
    if ((await store.readStatus()) === undefined) return "nothing is indexed yet";
    await readiness.check();
    return undefined;
  } catch (error) {
    if (error instanceof Behind) return error.message;
    if (VipError.isVipError(error) && error.code === "DATABASE_UNREACHABLE") return "the database does not answer";
    throw error;
  }
}
