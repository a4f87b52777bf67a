import type { Vm } from "@vipscore/core";
import { scored, writeRows } from "./scenarios/expectations.ts";
import type { DeployedContract, DeployOptions, Subject } from "./subject.ts";

/** The areas of scenarios, in the order of the report. */
export type Area =
  | "program"
  | "stages"
  | "finalize"
  | "checked finalize"
  | "revision"
  | "finalizer"
  | "scores"
  | "totals"
  | "batches"
  | "members"
  | "owner"
  | "reading"
  | "exact numbers"
  | "client"
  | "idempotence";

/** A rule of docs/spec.md that holds on every VM: of the program (P) or of our contracts (R). */
export type Rule = `${"P" | "R"}${number}`;

/** A difference of one VM, because its published interface or its language forces it to. */
export interface Difference {
  readonly vm: Vm;
  /** The rule of the VM's SPEC.md, or of docs/spec.md, that says so. */
  readonly rule: `${"E" | "M" | "W"}${number}` | Rule;
  readonly what: string;
}

/** One behavior of the scoring contract, shown on every VM by the same body. */
export interface Scenario {
  /** Unique and never changed; `area.what`. */
  readonly id: string;
  /** The behavior as a sentence. */
  readonly name: string;
  readonly area: Area;
  /** The rules of docs/spec.md that it tests. */
  readonly rules: readonly Rule[];
  /** The fault of the reference contracts here, and how it loses money. */
  readonly reference?: string;
  /** Differences of VMs; the body expects exactly these. */
  readonly differences?: readonly Difference[];
  readonly run: (subject: Subject) => Promise<void>;
}

/** Sets the id of each scenario of an area: the area's prefix, a dot, and the key. */
export function inArea(
  area: Area,
  prefix: string,
  scenarios: Readonly<Record<string, Omit<Scenario, "area" | "id">>>,
): readonly Scenario[] {
  return Object.entries(scenarios).map(([key, scenario]) => Object.assign(scenario, { area, id: `${prefix}.${key}` }));
}

/** What a scenario expects of a contract that was deployed for it. */
type Expectations = (contract: DeployedContract, subject: Subject) => Promise<void>;

/** Runs on a contract of its own, deployed as most are. */
export function onContract(expectations: Expectations): Scenario["run"] {
  return onContractOf({}, expectations);
}

/** Runs on a contract of its own; the creator has written `scores` of the accounts 0, 1, … to its first stage. */
export function onContractOf(
  { scores = [], ...options }: DeployOptions & { readonly scores?: readonly bigint[] },
  expectations: Expectations,
): Scenario["run"] {
  return async (subject) => {
    const contract = await subject.deploy(options);
    await writeRows(contract, scored(...scores), options.initStage);
    await expectations(contract, subject);
  };
}
