import { zeroAddress, type Address } from "viem";
import type { PackedScores } from "./packGroups.ts";

const U64_MAX = 2n ** 64n - 1n;

/** The effect of a call according to docs/spec.md and SPEC.md: its events, or the error that it reverts with. */
export type Expected =
  | { readonly events: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[] }
  | { readonly error: { readonly name: string; readonly args: readonly unknown[] } };

interface ModelStage {
  total: bigint;
  revision: bigint;
  isFinalized: boolean;
  /** By account id. */
  readonly scores: Map<number, bigint>;
}

/** The state of the contract in its simplest form. */
export interface Model {
  owner: Address;
  pendingOwner: Address;
  membersCanManage: boolean;
  /** The zero address if any member may finalize. */
  finalizer: Address;
  readonly members: Set<Address>;
  readonly accounts: Address[];
  readonly stages: Map<bigint, ModelStage>;
}

/** One call: the function, its arguments in the order of the ABI, and the caller. */
export interface Call {
  readonly from: Address;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Thrown inside the model to revert a call; the state is restored. */
export class Revert {
  readonly error: { readonly name: string; readonly args: readonly unknown[] };

  constructor(name: string, args: readonly unknown[] = []) {
    this.error = { name, args };
  }
}

/** A freshly deployed contract. */
export function newModel(deployer: Address, initStage: bigint): Model {
  return {
    owner: deployer,
    pendingOwner: zeroAddress,
    membersCanManage: true,
    finalizer: zeroAddress,
    members: new Set([deployer]),
    accounts: [],
    stages: new Map([[initStage, { total: 0n, revision: 0n, isFinalized: false, scores: new Map() }]]),
  };
}

/** The id of an account, 0 if it has none. */
export function modelId(model: Model, addr: Address): number {
  return model.accounts.indexOf(addr) + 1;
}

/** A row to write. */
export interface ModelRow {
  readonly addr: Address;
  readonly amount: bigint;
}

/** What a contract that inherits does before writes and finalizes. Row hooks run in its functions that name accounts by address. */
export interface ModelHooks {
  beforeWrite?(run: ModelRun, stage: bigint): void;
  beforeFinalize?(run: ModelRun, stage: bigint): void;
  readonly rows?: {
    readonly allowsPacked: boolean;
    toWrite(run: ModelRun, stage: bigint, rows: readonly ModelRow[]): readonly ModelRow[];
    before(run: ModelRun, stage: bigint, row: ModelRow): void;
  };
}

/** A transaction while it runs. */
export interface ModelRun {
  model: Model;
  events: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];
  /** Who made the call that is running. */
  from: Address;
  /** How many hooks are running. */
  depth: number;
  readonly hooks: ModelHooks;
}

/** Applies a call and returns the next state and the call's effect. Does not change the given state. */
export function applyCall(
  model: Model,
  call: Call,
  hooks: ModelHooks = {},
): { readonly next: Model; readonly expected: Expected } {
  const run: ModelRun = { model: copyModel(model), events: [], from: call.from, depth: 0, hooks };
  const error = tryCall(run, call);
  return error === undefined
    ? { next: run.model, expected: { events: run.events } }
    : { next: model, expected: { error } };
}

/** Makes a call within a transaction. If it reverts, it changes nothing, and its error is returned. */
export function tryCall(run: ModelRun, call: Call): Revert["error"] | undefined {
  const before = { ...run, model: copyModel(run.model) };
  try {
    makeCall(run, call);
    return undefined;
  } catch (revert) {
    if (!(revert instanceof Revert)) throw revert;
    Object.assign(run, before);
    return revert.error;
  }
}

/** Makes a call within a transaction. Throws {@link Revert}. */
export function makeCall(run: ModelRun, call: Call): void {
  const { from } = run;
  run.from = call.from;
  execute(run, call);
  run.from = from;
}

function execute(run: ModelRun, { from, name, args }: Call): void {
  const emit = (event: string, values: Record<string, unknown>) =>
    (run.events = [...run.events, { name: event, args: values }]);
  const member = () => {
    if (!run.model.members.has(from)) throw new Revert("PermissionDenied", [from]);
  };
  const manager = () => {
    if (from !== run.model.owner && !(run.model.membersCanManage && run.model.members.has(from)))
      throw new Revert("PermissionDenied", [from]);
  };
  const owner = () => {
    if (from !== run.model.owner) throw new Revert("OwnableUnauthorizedAccount", [from]);
  };
  const finalizer = () => {
    if (run.model.finalizer === zeroAddress) return member();
    if (from !== run.model.finalizer) throw new Revert("PermissionDenied", [from]);
  };
  const number = args[0] as bigint;
  const begin = (): ModelStage => {
    run.hooks.beforeWrite?.(run, number);
    return openStage(run, number);
  };
  const finalize = (stage: ModelStage) => {
    stage.isFinalized = true;
    emit("FinalizeStage", { stage: number });
    if (number === U64_MAX) return;
    run.model.stages.set(number + 1n, { total: 0n, revision: 0n, isFinalized: false, scores: new Map() });
    emit("CreateStage", { stage: number + 1n });
  };

  switch (name) {
    case "updateScores": {
      member();
      const [, addrs, amounts] = args as [bigint, Address[], bigint[]];
      if (addrs.length !== amounts.length) throw new Revert("AddrsAndAmountsLengthMistmatch");
      return setScores(
        run,
        number,
        addrs.map((addr, i) => ({ addr, amount: amounts[i] })),
      );
    }
    case "updateScore":
    case "increaseScore":
    case "decreaseScore": {
      member();
      const [, addr, amount] = args as [bigint, Address, bigint];
      const score = begin().scores.get(modelId(run.model, addr)) ?? 0n;
      if (name === "increaseScore" && score + amount > U64_MAX) throw new Revert("ScoreOverflow", [number, addr]);
      if (name === "decreaseScore" && addr === zeroAddress) return;
      if (name === "decreaseScore" && amount > score)
        throw new Revert("InsufficientScore", [number, addr, score, amount]);
      const sum = { updateScore: amount, increaseScore: score + amount, decreaseScore: score - amount }[name];
      return writeRows(run, number, [{ addr, amount: sum }]);
    }
    case "updateScoresPacked": {
      member();
      if (run.hooks.rows?.allowsPacked === false) throw new Revert("Error", ["packed batches pass no row hook"]);
      const stage = begin();
      const groups = args[1] as PackedScores[];
      let count = 0n;
      let last = -1n;
      for (const { key, amounts } of groups) {
        const [group, lanes] = [key / 16n, [0, 1, 2, 3].filter((lane) => (key >> BigInt(lane)) % 2n === 1n)];
        const scores = [0, 1, 2, 3].map((lane) => (amounts >> BigInt(64 * lane)) & U64_MAX);
        const isSilent = scores.every((score, lane) => score === 0n || lanes.includes(lane));
        if (group <= last || lanes.length === 0 || !isSilent) throw new Revert("InvalidPackedScores", [key]);
        const highest = group * 4n + BigInt(lanes.at(-1)!);
        if (highest > run.model.accounts.length) throw new Revert("UnknownAccount", [highest]);
        if (key < 16n && lanes[0] === 0) throw new Revert("UnknownAccount", [0n]);
        last = group;
        for (const lane of lanes) write(stage, Number(group) * 4 + lane, scores[lane]);
        count += BigInt(lanes.length);
      }
      if (stage.total > U64_MAX) throw new Revert("TotalOverflow", [number]);
      if (count > 0n) stage.revision++;
      emit("UpdateScoresPacked", { stage: number, count, totalScore: stage.total });
      return;
    }
    case "registerAccounts": {
      member();
      for (const addr of args[0] as Address[]) {
        if (addr === zeroAddress) throw new Revert("InvalidAddress", [addr]);
        register(run, addr);
      }
      return;
    }
    case "finalizeStage":
      finalizer();
      run.hooks.beforeFinalize?.(run, number);
      return finalize(openStage(run, number));
    case "finalizeStageChecked": {
      finalizer();
      run.hooks.beforeFinalize?.(run, number);
      const stage = openStage(run, number);
      const [, total, count, revision] = args as [bigint, bigint, bigint, bigint];
      if (total !== stage.total || count !== BigInt(stage.scores.size)) {
        throw new Revert("FinalizeMismatch", [number, total, stage.total, count, BigInt(stage.scores.size)]);
      }
      if (revision !== stage.revision) throw new Revert("RevisionMismatch", [number, revision, stage.revision]);
      return finalize(stage);
    }
    case "setFinalizer":
      owner();
      run.model.finalizer = args[0] as Address;
      emit("SetFinalizer", { finalizer: args[0] });
      return;
    case "addAllowList": {
      manager();
      const addr = args[0] as Address;
      if (addr === zeroAddress) throw new Revert("InvalidAddress", [addr]);
      if (!run.model.members.has(addr)) emit("AddAllowList", { addr });
      run.model.members.add(addr);
      return;
    }
    case "removeAllowList": {
      manager();
      const addr = args[0] as Address;
      if (!run.model.members.has(addr)) return;
      if (run.model.members.size === 1) throw new Revert("LastMember", [addr]);
      run.model.members.delete(addr);
      emit("RemoveAllowList", { addr });
      return;
    }
    case "setAllowList": {
      owner();
      const addrs = args[0] as Address[];
      if (addrs.length === 0) throw new Revert("LastMember", [zeroAddress]);
      if (addrs.includes(zeroAddress)) throw new Revert("InvalidAddress", [zeroAddress]);
      run.model.members.clear();
      emit("ClearAllowList", {});
      for (const addr of addrs) {
        if (!run.model.members.has(addr)) emit("AddAllowList", { addr });
        run.model.members.add(addr);
      }
      return;
    }
    case "setMembersCanManage":
      owner();
      run.model.membersCanManage = args[0] as boolean;
      emit("SetMembersCanManage", { allowed: args[0] });
      return;
    case "renounceOwnership":
      throw new Revert("OwnerRequired");
    case "transferOwnership":
      owner();
      run.model.pendingOwner = args[0] as Address;
      emit("OwnershipTransferStarted", { previousOwner: run.model.owner, newOwner: args[0] });
      return;
    case "acceptOwnership":
      if (from !== run.model.pendingOwner) throw new Revert("OwnableUnauthorizedAccount", [from]);
      emit("OwnershipTransferred", { previousOwner: run.model.owner, newOwner: from });
      run.model.owner = from;
      run.model.pendingOwner = zeroAddress;
      return;
    default:
      throw new Error(`the model does not know ${name}`);
  }
}

/** What `_setScores` does within a transaction. Throws {@link Revert}. */
export function setScores(run: ModelRun, number: bigint, rows: readonly ModelRow[]): void {
  run.hooks.beforeWrite?.(run, number);
  openStage(run, number);
  writeRows(run, number, rows);
}

function writeRows(run: ModelRun, number: bigint, given: readonly ModelRow[]): void {
  const { rows: hooks } = run.hooks;
  const { revision } = openStage(run, number);
  const rows = (hooks?.toWrite(run, number, given) ?? given).filter(({ addr }) => addr !== zeroAddress);
  const changed = run.model.stages.get(number)!.revision;
  if (changed !== revision) throw new Revert("RevisionMismatch", [number, revision, changed]);
  for (const row of rows) hooks?.before(run, number, row);
  const stage = openStage(run, number);
  for (const { addr, amount } of rows) {
    write(stage, register(run, addr), amount);
    if (stage.total > U64_MAX) throw new Revert("TotalOverflow", [number]);
    const args = { addr, stage: number, score: amount, totalScore: stage.total };
    run.events = [...run.events, { name: "UpdateScore", args }];
  }
  if (rows.length > 0) stage.revision++;
}

function write(stage: ModelStage, id: number, amount: bigint): void {
  stage.total += amount - (stage.scores.get(id) ?? 0n);
  stage.scores.set(id, amount);
}

function register({ model }: ModelRun, addr: Address): number {
  return modelId(model, addr) || model.accounts.push(addr);
}

function openStage({ model }: ModelRun, number: bigint): ModelStage {
  const stage = model.stages.get(number);
  if (stage === undefined) throw new Revert("StageNotFound", [number]);
  if (stage.isFinalized) throw new Revert("StageFinalized", [number]);
  return stage;
}

function copyModel(model: Model): Model {
  return {
    ...model,
    members: new Set(model.members),
    accounts: [...model.accounts],
    stages: new Map([...model.stages].map(([number, stage]) => [number, { ...stage, scores: new Map(stage.scores) }])),
  };
}
