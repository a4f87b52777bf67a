import type { ReplicaAnswer, ReplicaRequest } from "../../balancer/httpForward.ts";

/** The purpose of a request: broadcast a transaction, look one up by hash, or read anything else. */
export type RequestRole = "broadcast" | "lookUp" | "read";

/** The properties of a request that a fault needs. */
export interface ClassifiedRequest {
  readonly role: RequestRole;
  /** Title without values: `eth_call`, `GET /cosmos/tx/v1beta1/txs/*`. A batch has its methods joined by `+`. */
  readonly title: string;
  /** Hashes of the transactions that it broadcasts or looks up, in the chain's spelling. */
  readonly hashes: readonly string[];
}

/** The differences between the interfaces of nodes. */
export interface NodeProtocol {
  readonly classify: (request: ReplicaRequest) => ClassifiedRequest;
  /** The answer of a node that accepted the transaction of a broadcast. */
  readonly accepted: (request: ReplicaRequest) => ReplicaAnswer;
  /** "internal error" in the node's format. */
  readonly internalError: (request: ReplicaRequest) => ReplicaAnswer;
  /** The answer with another id or hash, or without a required field. `draw`, an integer from 0, chooses which. */
  readonly wrong: (request: ReplicaRequest, answer: ReplicaAnswer, draw: number) => ReplicaAnswer;
  /** The answer to a look-up, with a hundred times the gas used; any other answer unchanged. */
  readonly withMoreGas: (request: ReplicaRequest, answer: ReplicaAnswer) => ReplicaAnswer;
  /** The answer that contains the gas of a block, with this gas instead; any other answer unchanged. */
  readonly withBlockGas: (request: ReplicaRequest, answer: ReplicaAnswer, gas: bigint) => ReplicaAnswer;
}
