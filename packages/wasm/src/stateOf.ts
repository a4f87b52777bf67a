import type { ContractFeatures } from "@vipscore/core";
import type { ContractReader } from "./contractReader.ts";
import { publishedState } from "./publishedState.ts";
import type { ScoreState } from "./scoreState.ts";
import { vipScoreState } from "./vipScoreState.ts";

/** Reads with the queries that the contract has, and the rest from its store. */
export function stateOf(reader: ContractReader, { checkedFinalize, packed, roles }: ContractFeatures): ScoreState {
  const state = publishedState(reader);
  const { getStage, isMember, isManager, getControl, getMembers, ...rows } = vipScoreState(reader);
  return {
    ...state,
    ...(checkedFinalize && { getStage }),
    ...(packed && rows),
    ...(roles && { isMember, isManager, getControl, getMembers }),
  };
}
