import { bcs, MsgExecute, MsgScript, type Msg } from "@initia/initia.js";
import type { Account } from "@vipscore/core";
import { NoSuchCall, type Row, type SubjectCall } from "../subjectCall.ts";
import type { ScriptFor, ScriptName } from "./moveScripts.ts";

/** The caller and the module. */
export interface MoveTarget {
  /** The caller in bech32. */
  readonly sender: string;
  readonly senderAccount: Account;
  /** The module's address, its publisher's. */
  readonly module: Account;
  readonly scriptFor: ScriptFor;
}

const scripts = {
  updateScore: "update_score",
  increaseScore: "increase_score",
  decreaseScore: "decrease_score",
} as const satisfies Record<string, ScriptName>;

/** The message of a call, encoded by initia.js. */
export function encodeMoveCall(target: MoveTarget, call: SubjectCall): Msg {
  const { sender, senderAccount, module, scriptFor } = target;
  const execute = (name: string, ...args: readonly string[]): Msg =>
    new MsgExecute(sender, module, "vip_score", name, [], [...args]);
  // The publisher has its own functions; everybody else manages members as the owner.
  const asOwner = senderAccount === module ? "" : "owner_";
  switch (call.kind) {
    case "updateScore":
    case "increaseScore":
    case "decreaseScore": {
      const code = scriptFor(scripts[call.kind], Buffer.from(moveHex(module), "hex"));
      return new MsgScript(sender, code, [], [address(call.account), u64(call.stage), u64(call.amount)]);
    }
    case "updateScores":
      return execute("update_score_script", u64(call.stage), addresses(accountsOf(call.rows)), scores(call.rows));
    case "updateScoresPacked":
      return execute("update_scores_script", u64(call.stage), addresses(accountsOf(call.rows)), scores(call.rows));
    case "updateScoresUnequal": {
      const more = [...call.rows, { account: senderAccount, score: 0n }];
      return execute("update_score_script", u64(call.stage), addresses(accountsOf(more)), scores(call.rows));
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

function accountsOf(rows: readonly Row[]): readonly Account[] {
  return rows.map(({ account }) => account);
}

function addresses(accounts: readonly Account[]): string {
  const list = accounts.map((account) => `0x${moveHex(account)}`);
  return bcs.vector(bcs.address()).serialize(list).toBase64();
}

function scores(rows: readonly Row[]): string {
  return u64s(rows.map(({ score }) => score));
}
