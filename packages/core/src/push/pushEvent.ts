import type { VipError } from "../errors/vipError.ts";
import type { PushPlan } from "./planPush.ts";
import type { Verification } from "./verificationError.ts";

/** An event of a running push. */
export type PushEvent =
  | {
      /** A batch was handed to the node. */
      readonly type: "sent";
      readonly hash: string;
      readonly sequence: bigint;
      readonly rows: number;
      /** Its gas limit. */
      readonly gas: bigint;
    }
  | {
      /** A batch is in a block and succeeded. */
      readonly type: "confirmed";
      readonly hash: string;
      readonly rows: number;
      /** The height of its block; without `gasUsed` that of the state that shows its rows, in its block or a later one. */
      readonly height: bigint;
      /** Undefined if the stage's state, not a receipt, showed that it succeeded. */
      readonly gasUsed: bigint | undefined;
    }
  | {
      /** A batch did not go through; its rows are written later. */
      readonly type: "setback";
      readonly rows: number;
      readonly error: VipError;
    }
  | {
      /** After setbacks the verification found a difference, which is written next. */
      readonly type: "replanned";
      readonly plan: PushPlan;
    }
  | {
      readonly type: "verified";
      readonly verification: Verification;
      /**
       * Calls of others that wrote to the stage after the plan was read and up to the verified height, at least: a call with the same
       * rows as a failed transaction that counts by state is not among them. 0 for a contract without revisions. Such a writer may
       * write again.
       */
      readonly otherWrites: bigint;
    };
