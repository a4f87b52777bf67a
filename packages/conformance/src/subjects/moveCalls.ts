import { bcs, MsgExecute, MsgScript, type Msg } from "@initia/initia.js";
import type { Account } from "@vipscore/core";
import { moduleName } from "@vipscore/move";
import { NoSuchCall, snakeCase, type SubjectCall } from "../subject.ts";

export interface MoveTarget {
  /** The caller in bech32. */
  readonly sender: string;
  readonly senderAccount: Account;
  /** The module's address, its publisher's. */
  readonly module: Account;
  readonly scriptFor: ScriptFor;
}

/** Returns a compiled script, base64, that calls a function of the module at a 32-byte address. */
export type ScriptFor = (name: string, module: Buffer) => string;

/** The message of a call, encoded by initia.js. */
export function encodeMoveCall(target: MoveTarget, call: SubjectCall): Msg {
  const { sender, senderAccount, module, scriptFor } = target;
  const execute = (name: string, ...args: readonly string[]): Msg =>
    new MsgExecute(sender, module, moduleName, name, [], [...args]);
  // The publisher has its own functions; everybody else manages members as the owner.
  const asOwner = senderAccount === module ? "" : "owner_";
  switch (call.kind) {
    case "updateScore":
    case "increaseScore":
    case "decreaseScore": {
      const code = scriptFor(snakeCase(call.kind), Buffer.from(moveHex(module), "hex"));
      return new MsgScript(sender, code, [], [address(call.account), u64(call.stage), u64(call.amount)]);
    }
    case "updateScores":
    case "updateScoresPacked":
    case "updateScoresUnequal": {
      const name = call.kind === "updateScoresPacked" ? "update_scores_script" : "update_score_script";
      const more = call.kind === "updateScoresUnequal" ? [senderAccount] : [];
      const listed = addresses([...call.rows.map(({ account }) => account), ...more]);
      return execute(name, u64(call.stage), listed, u64s(call.rows.map(({ score }) => score)));
    }
    case "updateScoreOfText": {
      // A vector of one address.
      const bytes = Buffer.concat([Buffer.from([1]), Buffer.from(call.text, "hex")]);
      return execute("update_score_script", u64(call.stage), bytes.toString("base64"), u64s([1n]));
    }
    case "finalizeStage":
      return execute("finalize_script", u64(call.stage));
    case "finalizeStageChecked":
      return execute("finalize_checked_script", ...[call.stage, call.total, call.count, call.revision].map(u64));
    case "addMember":
      return execute(`${asOwner}add_deployer_script`, address(call.account));
    case "removeMember":
      return execute(`${asOwner}remove_deployer_script`, address(call.account));
    case "setMembers":
      return execute("set_deployers_script", addresses(call.accounts));
    case "transferOwnership":
      return execute("transfer_ownership_script", address(call.account));
    case "acceptOwnership":
      return execute("accept_ownership_script");
    case "setInitStage":
      return execute("set_init_stage", u64(call.stage));
    case "setFinalizer":
      return execute("set_finalizer_script", optionalAddress(call.account));
    case "setManagement":
      return execute("set_publisher_manages_script", bcs.bool().serialize(call.allowed).toBase64());
    case "renounceOwnership":
      break;
  }
  throw new NoSuchCall("Move", call.kind);
}

/** The 64 hex digits of an account in the VM; a 20-byte account has 12 leading zero bytes. */
export function moveHex(account: Account): string {
  return account.slice(2).padStart(64, "0");
}

function u64(value: bigint): string {
  return bcs.u64().serialize(value).toBase64();
}

function u64s(values: readonly bigint[]): string {
  return bcs.vector(bcs.u64()).serialize(values).toBase64();
}

function address(account: Account): string {
  return bcs
    .address()
    .serialize(`0x${moveHex(account)}`)
    .toBase64();
}

function optionalAddress(account: Account | undefined): string {
  const text = account === undefined ? null : `0x${moveHex(account)}`;
  return bcs.option(bcs.address()).serialize(text).toBase64();
}

function addresses(accounts: readonly Account[]): string {
  const list = accounts.map((account) => `0x${moveHex(account)}`);
  return bcs.vector(bcs.address()).serialize(list).toBase64();
}

/** Returns compiled Move code with every occurrence of a placeholder, at least one, replaced by an address, both of 32 bytes. */
export function placeAddress(code: Buffer, placeholder: Buffer, placed: Buffer): Buffer {
  const result = Buffer.from(code);
  let at = result.indexOf(placeholder);
  if (at === -1) throw new Error("the compiled code does not have the placeholder of its address");
  for (; at !== -1; at = result.indexOf(placeholder, at + placed.length)) placed.copy(result, at);
  return result;
}

/** A module's interface as the node lists it. */
export interface MoveAbi {
  readonly name: string;
  readonly exposed_functions: readonly {
    readonly name: string;
    readonly visibility: string;
    readonly is_entry: boolean;
    readonly is_view: boolean;
    readonly params: readonly string[];
    readonly return: readonly string[];
  }[];
  readonly structs: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string; readonly type: string }[];
  }[];
}

const page = "vip_score::GetScoresResponse";

/**
 * The published module, initia-labs/vip-score-move: what the chain compares when a module replaces another, functions with their
 * types and structs with their fields. `entry` and `view` may be added.
 */
const published: readonly string[] = [
  "public entry add_deployer_script(&signer,address)",
  "public entry remove_deployer_script(&signer,address)",
  "public entry set_init_stage(&signer,u64)",
  "public entry finalize_script(&signer,u64)",
  "public entry update_score_script(&signer,u64,vector<address>,vector<u64>)",
  "public increase_score(&signer,address,u64,u64)",
  "public decrease_score(&signer,address,u64,u64)",
  "public update_score(&signer,address,u64,u64)",
  "public view get_score(address,u64):u64",
  "public view get_total_score(u64):u64",
  `public view get_scores(u64,u16,0x1::option::Option<address>):${page}`,
  "struct ModuleStore{init_stage:u64,deployers:0x1::simple_map::SimpleMap<address,bool>,scores:0x1::table::Table<u64,vip_score::Scores>}",
  "struct Scores{total_score:u64,is_finalized:bool,score:0x1::table::Table<address,u64>}",
  "struct GetScoresResponse{stage:u64,scores:vector<vip_score::Score>}",
  "struct Score{addr:address,score:u64}",
  "struct DeployerAddedEvent{deployer:address}",
  "struct DeployerRemovedEvent{deployer:address}",
  "struct UpdateScoreEvent{account:address,stage:u64,score:u64,total_score:u64}",
  "struct FinalizedScoreEvent{stage:u64}",
];

/** Returns each published function and struct that a module does not have, or has in another shape. */
export function compareMoveInterface(abi: MoveAbi): readonly string[] {
  const shapes = shapesOf(abi);
  return published.flatMap((shape) => {
    if (shapes.includes(shape)) return [];
    const others = shapes.filter((other) => shapeName(other) === shapeName(shape));
    return [`${shape} is ${others.length === 0 ? "missing" : `instead ${others.join(" or ")}`}`];
  });
}

function shapesOf({ exposed_functions: functions, structs }: MoveAbi): readonly string[] {
  return [
    ...functions.flatMap((one) => {
      const results = one.return.length === 0 ? "" : `:${one.return.map(typeText).join()}`;
      const call = `${one.name}(${one.params.map(typeText).join()})${results}`;
      const kinds = ["", ...(one.is_entry ? ["entry "] : []), ...(one.is_view ? ["view "] : [])];
      return kinds.map((kind) => `${one.visibility} ${kind}${call}`);
    }),
    ...structs.map(({ name, fields }) => {
      const listed = fields.map((field) => `${field.name}:${typeText(field.type)}`);
      return `struct ${name}{${listed.join()}}`;
    }),
  ];
}

/** The module's own types without its address, which is the publisher's. */
function typeText(type: string): string {
  return type.replaceAll(/\s/g, "").replaceAll(/0x[0-9a-f]{2,}::vip_score::/g, "vip_score::");
}

function shapeName(shape: string): string | undefined {
  return /(\w+)[({]/.exec(shape)?.[1];
}
