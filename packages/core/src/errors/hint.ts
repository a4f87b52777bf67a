import type { Account } from "../account.ts";
import type { Vm } from "../contractIdentity.ts";

/** A line of an error that says what to do next. By its code, a program can word it with its own commands. */
export type Hint = { readonly text: string } & (
  | {
      /** A member can add the account. */
      readonly code: "add-member";
      readonly account: Account;
    }
  | {
      /** Other accounts may add and remove members. */
      readonly code: "ask-manager";
      readonly vm: Vm;
      /** The contract's address as the chain spells it. */
      readonly address: string;
      /** Undefined for a reference contract. */
      readonly owner: Account | undefined;
    }
  | {
      /** The module's publisher has to complete an upgrade. */
      readonly code: "complete-upgrade";
    }
  | {
      /** The scores belong to another contract, which has to be named. */
      readonly code: "name-contract";
    }
  | {
      /** A deployment sets the first stage. */
      readonly code: "set-first-stage";
    }
  | {
      /** The owner can name another finalizer. */
      readonly code: "name-finalizer";
      readonly owner: Account;
    }
  | {
      /** The owner can offer ownership to the account. */
      readonly code: "offer-ownership";
      readonly owner: Account;
      readonly account: Account;
    }
  | {
      /** A step that the text names: another option, another file, a proposal. */
      readonly code:
        | "challenge"
        | "choose-bridge"
        | "drop-fraction"
        | "extra-accounts"
        | "finalize"
        | "finalize-early"
        | "name-admin"
        | "name-endpoint"
        | "name-window"
        | "no-packed"
        | "propose-contract"
        | "propose-registration"
        | "reference-roles"
        | "rewrite-proofs"
        | "skip-stages"
        | "spill"
        | "start-local-node"
        | "use-jsonl"
        | "write-manifest"
        | "write-proofs";
    }
  | {
      /** A vote that ends sooner is in time. */
      readonly code: "expedite";
      /** The time before which it must start. */
      readonly before: string;
      readonly deposit: string;
    }
  | {
      /** The claims of an account go on with a stage. */
      readonly code: "claim-next";
      readonly stage: bigint;
    }
  | {
      /** The rollup's bridge has to be named. */
      readonly code: "name-bridge";
      /** IDs of the registered bridges. */
      readonly known: string;
    }
  | {
      /** The endpoint is that of another L1 than this. */
      readonly code: "name-l1";
      readonly chainId: string;
    }
  | {
      /** The address of the module `vip` has to be given. */
      readonly code: "name-vip";
      /** The chains for which it is known. */
      readonly known: string;
    }
  | {
      /** Scores with decimals are read as multiples of 10^-scale. */
      readonly code: "scale";
      readonly scale: number;
      /** Name of this unit; undefined for ones. */
      readonly unit: string | undefined;
    }
  | {
      /** The contract's code has to be replaced, or the contract itself if its code cannot be. */
      readonly code: "replace-reference-contract";
      readonly vm: Vm;
    }
);
