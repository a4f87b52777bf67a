export { absentIf, isMissingRoute, isNotFound, RestError } from "./wire/restErrors.ts";
export { Answer, type ReadAnswer } from "./wire/answer.ts";
export { callJsonRpc, readRpcError, type JsonRpcCall } from "./wire/callJsonRpc.ts";
export { followRedirects } from "./wire/followRedirects.ts";
export {
  exchange,
  type HttpAnswer,
  type HttpRequest,
  HttpStatusError,
  networkFault,
  StrangerError,
} from "./wire/exchange.ts";
export { parseEndpoint, redactUrl, type HttpEndpoint } from "./wire/endpoint.ts";
export { ForeignAnswer } from "./wire/foreignAnswer.ts";
export { HeightFloor } from "./wire/heightFloor.ts";
export { JsonScanner, type JsonPart, type JsonScannerOptions } from "./jsonScanner.ts";
export { isCommitted } from "./wire/isCommitted.ts";
export { isObject } from "./wire/isObject.ts";
export { decodeLeb128, encodeLeb128 } from "./wire/leb128.ts";
export { isBehind, isPassingText, nodeBehind } from "./wire/nodeBehind.ts";
export { openJsonRpc, type JsonRpc, type OpenJsonRpcOptions } from "./wire/jsonRpc.ts";
export { patienceMs, sendTimeoutMs } from "./time/patience.ts";
export { isMissingQuery, queryChain, QueryError, type ChainQuery } from "./wire/queryChain.ts";
export { retryRead, type RetryReadOptions } from "./wire/retryRead.ts";
export { openRest, type OpenRestOptions, type RestClient, type RestOptions } from "./wire/restClient.ts";
export { isCallFailure, isRequestFault, RpcError, type RpcErrorAnswer } from "./wire/rpcError.ts";
export { UnreadableAnswer, type AnswerSource } from "./wire/unreadableAnswer.ts";
export { findRepeatedKey } from "./findRepeatedKey.ts";
