export { callJsonRpc, readRefusal, type JsonRpcCall, type JsonRpcRefusal } from "./http/callJsonRpc.ts";
export { followRedirects } from "./http/followRedirects.ts";
export { exchange, type HttpAnswer, type HttpRequest } from "./http/httpExchange.ts";
export { parseEndpoint, redactUrl, type HttpEndpoint } from "./http/httpEndpoint.ts";
export { HttpStatusError } from "./http/httpStatusError.ts";
export { HeightFloor, type NewestHeightOptions, type PinnedOptions } from "./http/heightFloor.ts";
export { isObject } from "./http/isObject.ts";
export { networkFault } from "./http/networkFault.ts";
export { isBehind, nodeBehind } from "./http/nodeBehind.ts";
export { isPassingText } from "./http/passingText.ts";
export { patienceMs, sendTimeoutMs } from "./http/patience.ts";
export { retryRead, type RetryReadOptions } from "./http/retryRead.ts";
export {
  openRest,
  type OpenRestOptions,
  type RestAnswer,
  type RestClient,
  type RestOptions,
} from "./http/restClient.ts";
export { isMissingRoute, isNotFound, isPassing, RestError } from "./http/restErrors.ts";
