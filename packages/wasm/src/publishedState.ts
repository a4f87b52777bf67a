import { QueryAllContractStateRequest, QueryAllContractStateResponse } from "cosmjs-types/cosmwasm/wasm/v1/query";
import { CheckError, stage as stageOf, type Account, type StageInfo } from "@vipscore/core";
import { queryChain, type Answer, type ChainQuery } from "@vipscore/core/wire";
import { findStored, querySmart, type ContractReader } from "./contractReader.ts";
import { pageRows, readRowPage, readU64, type ScoreState } from "./scoreState.ts";
import { initStageKey, memberKey, membersPrefix, scoreKey, stageKey } from "./storeKeys.ts";
import type { QueryMsg } from "./vipScoreTypes.generated.ts";
import { accountOfAddress } from "./wasmAddress.ts";

/** Entries of the store per request. */
const pageEntries = 1_000n;

/**
 * Reads the state of a contract that has only the published interface. What its queries do not return, or return as a
 * failure, is read from the contract's store, which must have the reference contract's layout.
 */
export function publishedState(reader: ContractReader): ScoreState {
  const isMember: ScoreState["isMember"] = async (account, options) =>
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
      throw new CheckError(`the contract at ${reader.address} has no first stage`, { code: "STAGE_NOT_FOUND" });
    },
    getScore(stage, account, options) {
      return findStored(reader, scoreKey(stage, account), readU64, options);
    },
    async *getScores(stage, options) {
      for (let last: string | undefined; ;) {
        const after = last;
        const message: QueryMsg = {
          get_scores: { stage, limit: pageRows, ...(after === undefined ? {} : { start_after: after }) },
        };
        const page = await querySmart(reader, message, (answer) => readRowPage(answer, after, "text"), options);
        // A short page need not be the last: a contract may return fewer rows than requested.
        if (page.rows.length === 0) return;
        ({ last } = page);
        yield page.rows;
      }
    },
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
