import type { VipError } from "@vipscore/core";
import type { LeftOut } from "../store/nftStore.ts";

/** An event that the follower reports while it works. */
export type FollowEvent =
  | {
      readonly type: "indexed";
      /** Newest indexed block. */
      readonly height: number;
      /** The chain's newest block at the last check. */
      readonly head: number;
      /** Changes of collections and tokens in the blocks. */
      readonly changes: number;
    }
  | {
      readonly type: "waiting";
      /** Why nothing could be read. */
      readonly error: VipError;
      /** Failed attempts in a row. */
      readonly attempt: number;
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
    }
  | ({ readonly type: "leftOut" } & LeftOut);
