import { CheckError, stage as stageOf, type Account } from "@vipscore/core";
import { QueryAllContractStateRequest, QueryAllContractStateResponse } from "cosmjs-types/cosmwasm/wasm/v1/query";
import { findStored, querySmart, type ContractReader } from "./contractReader.ts";
import { queryChain, type ChainQuery } from "./queryChain.ts";
import { asObject, asU64, readBoolean, readU64, unreadable } from "./readField.ts";
import { pageRows, readRowPage, type ScoreState } from "./scoreState.ts";
import { initStageKey, memberKey, membersPrefix, scoreKey, stageKey } from "./storeKeys.ts";
import type { QueryMsg } from "./vipScoreTypes.generated.ts";
import { accountOfAddress } from "./wasmAddress.ts";

/** Entries of the store that are asked for at once. */
const pageEntries = 1_000n;

const allState: ChainQuery<QueryAllContractStateRequest, QueryAllContractStateResponse> = {
  path: "/cosmwasm.wasm.v1.Query/AllContractState",
  request: QueryAllContractStateRequest,
  response: QueryAllContractStateResponse,
};

/**
 * Asks a contract that has only the published interface. What that interface answers by a failure or not at all is read
 * from the contract's store, whose layout is the reference contract's.
 */
export function publishedState(reader: ContractReader): ScoreState {
  const isMember: ScoreState["isMember"] = async (account, options) =>
    (await findStored(reader, memberKey(account), options)) !== undefined;
  return {
    async getStage(stage, options) {
      const found = await findStored(reader, stageKey(stage), options);
      if (found === undefined) return undefined;
      const { source, value } = found;
      const fields = asObject(source, "value", value);
      const isFinalized = readBoolean(source, fields, "is_finalized");
      return {
        stage,
        total: readU64(source, fields, "total_score"),
        isFinalized,
        count: undefined,
        revision: undefined,
      };
    },
    async getInitStage(options) {
      const found = await findStored(reader, initStageKey, options);
      if (found !== undefined) return stageOf(asU64(found.source, "init_stage", found.value));
      throw new CheckError(`the contract at ${reader.address} has no first stage`, { code: "STAGE_NOT_FOUND" });
    },
    async getScore(stage, account, options) {
      const found = await findStored(reader, scoreKey(stage, account), options);
      return found && asU64(found.source, "score", found.value);
    },
    async *getScores(stage, options) {
      for (let last: string | undefined; ;) {
        const message: QueryMsg = {
          get_scores: { stage, limit: pageRows, ...(last === undefined ? {} : { start_after: last }) },
        };
        const { source, value } = await querySmart(reader, message, options);
        const page = readRowPage(source, asObject(source, "value", value), last);
        // A short page need not be the last: a contract may give fewer rows than it was asked for.
        if (page.rows.length === 0) return;
        ({ last } = page);
        yield page.rows;
      }
    },
    isMember,
    isManager: isMember,
    getControl: () => Promise.resolve(undefined),
    async getMembers(options) {
      const prefix = membersPrefix;
      const members: Account[] = [];
      for (let key = prefix; ;) {
        const pagination = { key, offset: 0n, limit: pageEntries, countTotal: false, reverse: false };
        const request = { address: reader.address, pagination };
        const { models, pagination: answered } = await queryChain(reader.comet, allState, request, options);
        for (const model of models) {
          const stored = Buffer.from(model.key);
          if (!stored.subarray(0, prefix.length).equals(prefix)) return members;
          // The reference takes any text for a member; one that is no address can never sign.
          const account = accountOfAddress(stored.subarray(prefix.length).toString());
          if (account !== undefined) members.push(account);
        }
        const next = Buffer.from(answered?.nextKey ?? []);
        if (next.length === 0) return members;
        const source = { endpoint: reader.comet.endpoint, title: allState.path };
        // A node that names the same key again would be asked for ever.
        if (Buffer.compare(next, key) <= 0) return unreadable(source, "next_key", next.toString("hex"));
        key = next;
      }
    },
  };
}
