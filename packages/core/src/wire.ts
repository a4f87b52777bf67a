export {
  undefinedIf,
  isMissingRoute,
  isNotFound,
  openRest,
  type OpenRestOptions,
  type RestClient,
  RestError,
} from "./wire/restClient.ts";
export { restOverRpc } from "./wire/restOverRpc.ts";
export { Answer, isObject, parseObject, type ReadAnswer, UnreadableAnswer } from "./wire/answer.ts";
export {
  callJsonRpc,
  callTogether,
  isBodyRefused,
  isCallFailure,
  isOfSize,
  isRefused,
  isRequestFault,
  type JsonRpc,
  type JsonRpcCall,
  openJsonRpc,
  findRpcError,
  RpcError,
} from "./wire/jsonRpc.ts";
export { exchange, UnexpectedAnswerError, HttpStatusError, statusError, UnknownServiceError } from "./wire/exchange.ts";
export { parseEndpoint, parseSecretUrl, postgresUrl, redactUrl, type HttpEndpoint } from "./wire/endpoint.ts";
export {
  MonotonicHeight,
  isBehind,
  isRefusalToWork,
  nodeBehind,
  retryRead,
  type RetryReadOptions,
} from "./wire/retryRead.ts";
export {
  type ChainQuery,
  isCommitted,
  isMissingQuery,
  queryChain,
  QueryError,
  type TransactionSender,
} from "./wire/queryChain.ts";
export { decodeLeb128, encodeLeb128 } from "./wire/leb128.ts";
export { encodeField, readFields } from "./wire/protobuf.ts";
export { inOrder, inParallel, parallelPages } from "./time/inParallel.ts";
export { Patience, patienceMs, pauses } from "./time/patience.ts";
