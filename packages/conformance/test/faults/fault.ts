import type { ContractCode } from "../../src/index.ts";

/** A changed contract that breaks a rule of the program. Written without regard to the scenarios, which it tests. */
export interface Fault {
  /** What the contract does wrong. */
  readonly fault: string;
  readonly code: () => Promise<ContractCode>;
  readonly rule: "P1" | "P2" | "P3" | "P4" | "R7" | "R13";
  /** For a fault that no call of a test reaches: matches the line of the report that a person must read. */
  readonly named?: RegExp;
}
