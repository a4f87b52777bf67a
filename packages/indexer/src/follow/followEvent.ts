import type { VipError } from "@vipscore/core";
import type { LeftOut } from "../store/nftStore.ts";

/** What the follower tells while it works. */
export type FollowEvent =
  | {
      readonly type: "indexed";
      /** Newest block that is indexed now. */
      readonly height: number;
      /** The chain's newest block when it was looked at last. */
      readonly head: number;
      /** Changes of collections and tokens that the blocks brought. */
      readonly changes: number;
    }
  | {
      readonly type: "waiting";
      /** Why nothing could be read. */
      readonly error: VipError;
      /** Attempts of the same thing that failed in a row. */
      readonly attempt: number;
      /** Milliseconds until the next one. */
      readonly delayMs: number;
    }
  | ({ readonly type: "leftOut" } & LeftOut);
