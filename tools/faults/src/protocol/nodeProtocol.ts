import type { ReplicaAnswer, ReplicaRequest } from "@vipscore/testkit/httpForward";

/** What a request is for: it hands a transaction over, asks for one by its hash, or reads anything else. */
export type RequestRole = "broadcast" | "lookUp" | "read";

/** A request, as far as a fault has to know it. */
export interface ClassifiedRequest {
  readonly role: RequestRole;
  /** What is asked for, without values: `eth_call`, `GET /cosmos/tx/v1beta1/txs/*`. A batch has its methods joined by `+`. */
  readonly title: string;
  /** Hashes of the transactions that it hands over or asks for, as the chain spells them. */
  readonly hashes: readonly string[];
}

/** What differs from one interface of a node to another. */
export interface NodeProtocol {
  readonly classify: (request: ReplicaRequest) => ClassifiedRequest;
  /** The answer of a node that took the transaction of a broadcast. */
  readonly accepted: (request: ReplicaRequest) => ReplicaAnswer;
  /** The node's own form of "internal error". */
  readonly internalError: (request: ReplicaRequest) => ReplicaAnswer;
  /** The answer with another id or hash, or without a field that it must have. `draw`, an integer from 0, chooses which. */
  readonly wrong: (request: ReplicaRequest, answer: ReplicaAnswer, draw: number) => ReplicaAnswer;
  /** The answer of a look-up, with a hundred times the gas used; any other answer as it is. */
  readonly withMoreGas: (request: ReplicaRequest, answer: ReplicaAnswer) => ReplicaAnswer;
  /** The answer that names the gas of a block, with this gas instead; any other answer as it is. */
  readonly withBlockGas: (request: ReplicaRequest, answer: ReplicaAnswer, gas: bigint) => ReplicaAnswer;
}
