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
class Revert {
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

/** Applies a call and returns the next state and the call's effect. Does not change the given state. */
export function applyCall(model: Model, call: Call): { readonly next: Model; readonly expected: Expected } {
  const next = copyModel(model);
  const events: { name: string; args: Record<string, unknown> }[] = [];
  const emit = (name: string, args: Record<string, unknown>) => events.push({ name, args });
  try {
    run(next, call, emit);
    return { next, expected: { events } };
  } catch (revert) {
    if (!(revert instanceof Revert)) throw revert;
    return { next: model, expected: { error: revert.error } };
  }
}

function run(
  model: Model,
  { from, name, args }: Call,
  emit: (name: string, args: Record<string, unknown>) => void,
): void {
  const member = () => {
    if (!model.members.has(from)) throw new Revert("PermissionDenied", [from]);
  };
  const manager = () => {
    if (from !== model.owner && !(model.membersCanManage && model.members.has(from)))
      throw new Revert("PermissionDenied", [from]);
  };
  const owner = () => {
    if (from !== model.owner) throw new Revert("OwnableUnauthorizedAccount", [from]);
  };
  const finalizer = () => {
    if (model.finalizer === zeroAddress) return member();
    if (from !== model.finalizer) throw new Revert("PermissionDenied", [from]);
  };
  const number = args[0] as bigint;
  const open = (): ModelStage => {
    const stage = model.stages.get(number);
    if (stage === undefined) throw new Revert("StageNotFound", [number]);
    if (stage.isFinalized) throw new Revert("StageFinalized", [number]);
    return stage;
  };
  const register = (addr: Address): number => modelId(model, addr) || model.accounts.push(addr);
  const write = (stage: ModelStage, id: number, amount: bigint) => {
    stage.total += amount - (stage.scores.get(id) ?? 0n);
    stage.scores.set(id, amount);
  };
  const writeOne = (stage: ModelStage, addr: Address, amount: bigint) => {
    write(stage, register(addr), amount);
    if (stage.total > U64_MAX) throw new Revert("TotalOverflow", [number]);
    emit("UpdateScore", { addr, stage: number, score: amount, totalScore: stage.total });
  };
  const finalize = (stage: ModelStage) => {
    stage.isFinalized = true;
    emit("FinalizeStage", { stage: number });
    if (number === U64_MAX) return;
    model.stages.set(number + 1n, { total: 0n, revision: 0n, isFinalized: false, scores: new Map() });
    emit("CreateStage", { stage: number + 1n });
  };

  switch (name) {
    case "updateScores": {
      member();
      const [, addrs, amounts] = args as [bigint, Address[], bigint[]];
      if (addrs.length !== amounts.length) throw new Revert("AddrsAndAmountsLengthMistmatch");
      const stage = open();
      addrs.forEach((addr, i) => {
        if (addr !== zeroAddress) writeOne(stage, addr, amounts[i]);
      });
      if (addrs.some((addr) => addr !== zeroAddress)) stage.revision++;
      return;
    }
    case "updateScore":
    case "increaseScore":
    case "decreaseScore": {
      member();
      const [, addr, amount] = args as [bigint, Address, bigint];
      const stage = open();
      if (addr === zeroAddress) return;
      const score = stage.scores.get(modelId(model, addr)) ?? 0n;
      if (name === "increaseScore" && score + amount > U64_MAX) throw new Revert("ScoreOverflow", [number, addr]);
      if (name === "decreaseScore" && amount > score)
        throw new Revert("InsufficientScore", [number, addr, score, amount]);
      writeOne(
        stage,
        addr,
        name === "updateScore" ? amount : name === "increaseScore" ? score + amount : score - amount,
      );
      stage.revision++;
      return;
    }
    case "updateScoresPacked": {
      member();
      const stage = open();
      const groups = args[1] as PackedScores[];
      let count = 0n;
      let last = -1n;
      for (const { key, amounts } of groups) {
        const [group, lanes] = [key / 16n, [0, 1, 2, 3].filter((lane) => (key >> BigInt(lane)) % 2n === 1n)];
        const scores = [0, 1, 2, 3].map((lane) => (amounts >> BigInt(64 * lane)) & U64_MAX);
        const isSilent = scores.every((score, lane) => score === 0n || lanes.includes(lane));
        if (group <= last || lanes.length === 0 || !isSilent) throw new Revert("InvalidPackedScores", [key]);
        const highest = group * 4n + BigInt(lanes.at(-1)!);
        if (highest > model.accounts.length) throw new Revert("UnknownAccount", [highest]);
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
        register(addr);
      }
      return;
    }
    case "finalizeStage":
      finalizer();
      return finalize(open());
    case "finalizeStageChecked": {
      finalizer();
      const stage = open();
      const [, total, count, revision] = args as [bigint, bigint, bigint, bigint];
      if (total !== stage.total || count !== BigInt(stage.scores.size)) {
        throw new Revert("FinalizeMismatch", [number, total, stage.total, count, BigInt(stage.scores.size)]);
      }
      if (revision !== stage.revision) throw new Revert("RevisionMismatch", [number, revision, stage.revision]);
      return finalize(stage);
    }
    case "setFinalizer":
      owner();
      model.finalizer = args[0] as Address;
      emit("SetFinalizer", { finalizer: args[0] });
      return;
    case "addAllowList": {
      manager();
      const addr = args[0] as Address;
      if (addr === zeroAddress) throw new Revert("InvalidAddress", [addr]);
      if (!model.members.has(addr)) emit("AddAllowList", { addr });
      model.members.add(addr);
      return;
    }
    case "removeAllowList": {
      manager();
      const addr = args[0] as Address;
      if (!model.members.has(addr)) return;
      if (model.members.size === 1) throw new Revert("LastMember", [addr]);
      model.members.delete(addr);
      emit("RemoveAllowList", { addr });
      return;
    }
    case "setAllowList": {
      owner();
      const addrs = args[0] as Address[];
      if (addrs.length === 0) throw new Revert("LastMember", [zeroAddress]);
      if (addrs.includes(zeroAddress)) throw new Revert("InvalidAddress", [zeroAddress]);
      model.members.clear();
      emit("ClearAllowList", {});
      for (const addr of addrs) {
        if (!model.members.has(addr)) emit("AddAllowList", { addr });
        model.members.add(addr);
      }
      return;
    }
    case "setMembersCanManage":
      owner();
      model.membersCanManage = args[0] as boolean;
      emit("SetMembersCanManage", { allowed: args[0] });
      return;
    case "renounceOwnership":
      throw new Revert("OwnerRequired");
    case "transferOwnership":
      owner();
      model.pendingOwner = args[0] as Address;
      emit("OwnershipTransferStarted", { previousOwner: model.owner, newOwner: args[0] });
      return;
    case "acceptOwnership":
      if (from !== model.pendingOwner) throw new Revert("OwnableUnauthorizedAccount", [from]);
      emit("OwnershipTransferred", { previousOwner: model.owner, newOwner: from });
      model.owner = from;
      model.pendingOwner = zeroAddress;
      return;
    default:
      throw new Error(`the model does not know ${name}`);
  }
}

function copyModel(model: Model): Model {
  return {
    ...model,
    members: new Set(model.members),
    accounts: [...model.accounts],
    stages: new Map([...model.stages].map(([number, stage]) => [number, { ...stage, scores: new Map(stage.scores) }])),
  };
}
