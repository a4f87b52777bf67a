import { QueryAllContractStateRequest, QueryAllContractStateResponse } from "cosmjs-types/cosmwasm/wasm/v1/query";
import { stage as stageOf, VipError, type Account, type Stage, type StageInfo } from "@vipscore/core";
import type { ContractState } from "@vipscore/core/engine";
import { queryChain, type Answer, type ChainQuery } from "@vipscore/core/wire";
import { findStored, readRows, readU64, type ContractReader } from "./contractReader.ts";
import { accountOfAddress, addressOf } from "./wasmAddress.ts";

/** Rows per page: the reference contract answers as many within the gas that a node allows a query. */
const pageRows = 1_000;

/** Entries of the store per request. */
const pageEntries = 1_000n;

/**
 * Reads the state of a contract that has only the published interface. What its queries do not return, or return as a
 * failure, is read from the contract's store, which must have the reference contract's layout.
 */
export function publishedState(reader: ContractReader): ContractState {
  const isMember: ContractState["isMember"] = async (account, options) =>
    (await findStored(reader, memberKey(account), () => true, options)) ?? false;
  return {
    getStage(stage, options) {
      const read = (answer: Answer): StageInfo => ({
        stage,
        total: readU64(answer.field("total_score")),
        isFinalized: answer.field("is_finalized").boolean(),
        count: undefined,
        revision: undefined,
      });
      return findStored(reader, stageKey(stage), read, options);
    },
    async getInitStage(options) {
      const first = await findStored(reader, initStageKey, readU64, options);
      if (first !== undefined) return stageOf(first);
      throw new VipError(`the contract at ${reader.address} has no first stage`, { code: "STAGE_NOT_FOUND" });
    },
    getScore(stage, account, options) {
      return findStored(reader, scoreKey(stage, account), readU64, options);
    },
    getScores: (stage, options) => readRows(reader, stage, { ...options, order: "text", limit: pageRows }),
    isMember,
    isManager: isMember,
    getControl: () => Promise.resolve(undefined),
    async getMembers(options) {
      const members: Account[] = [];
      for (let key: Buffer | undefined = membersPrefix; key !== undefined;) {
        const page: MembersPage = await queryChain(reader.comet, membersFrom(reader.address, key), options);
        members.push(...page.members);
        key = page.next;
      }
      return members;
    },
  };
}

/** Members in one part of the store, and the key of the next part; undefined after the last. */
interface MembersPage {
  readonly members: readonly Account[];
  readonly next: Buffer | undefined;
}

function membersFrom(address: string, key: Buffer): ChainQuery<MembersPage> {
  const pagination = { key, offset: 0n, limit: pageEntries, countTotal: false, reverse: false };
  return {
    path: "/cosmwasm.wasm.v1.Query/AllContractState",
    request: QueryAllContractStateRequest.encode({ address, pagination }).finish(),
    decode: (value) => {
      const { models, pagination: answered } = QueryAllContractStateResponse.decode(value);
      const members: Account[] = [];
      for (const model of models) {
        const stored = Buffer.from(model.key);
        if (!stored.subarray(0, membersPrefix.length).equals(membersPrefix)) return { members, next: undefined };
        // The reference contract accepts any text as a member; one that is not an address can never sign.
        const account = accountOfAddress(stored.subarray(membersPrefix.length).toString());
        if (account !== undefined) members.push(account);
      }
      const next = Buffer.from(answered?.nextKey ?? []);
      if (next.length === 0) return { members, next: undefined };
      // A node that repeats a key would make this loop endless.
      if (Buffer.compare(next, key) <= 0)
        throw new Error(`next_key ${next.toString("hex")} does not come after the previous key`);
      return { members, next };
    },
  };
}

/**
 * Keys of the reference contract's store (recorded on miniwasm): `init_stage`; a map `stages` by u64; a map `scores` by
 * u64 and address; a map `allow_list` by address. A map's key starts with the length of its name in two bytes.
 */
export const initStageKey = Buffer.from("init_stage");

/** The common prefix of all members' keys. */
export const membersPrefix = mapKey("allow_list");

export function memberKey(account: Account): Buffer {
  return mapKey("allow_list", Buffer.from(addressOf(account)));
}

export function stageKey(stage: Stage): Buffer {
  return mapKey("stages", u64Key(stage));
}

export function scoreKey(stage: Stage, account: Account): Buffer {
  return mapKey("scores", u64Key(stage), Buffer.from(addressOf(account)));
}

function mapKey(name: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), ...parts]);
}

function u64Key(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
