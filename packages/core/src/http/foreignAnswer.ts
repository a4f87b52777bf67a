import { NodeError } from "../errors/nodeError.ts";
import type { HttpAnswer } from "./httpExchange.ts";
import type { HttpEndpoint } from "./httpEndpoint.ts";

/** What was asked, for the message about an answer that is not the protocol's. */
export interface Expectation {
  /** What was asked for: a method or a path. */
  readonly title: string;
  /** What should have come, and a question for the person who set the URL. */
  readonly expected: string;
}

/**
 * The error for an answer with the status of success that is not the protocol's. Where the endpoint spoke it before, a page
 * or an empty body is a proxy's fault that may pass; else the URL is probably another service's.
 */
export function foreignAnswer(
  { shown, hide, memory }: HttpEndpoint,
  { title, expected }: Expectation,
  { text, json }: Pick<HttpAnswer, "text" | "json">,
): NodeError {
  const kind = /^\s*</.test(text) ? "a web page" : text.trim() === "" ? "nothing" : "something else";
  return new NodeError(`${shown} answered ${title} with ${kind}, not ${expected}`, {
    code: memory.hasAnswered && json === undefined ? "NODE_UNREACHABLE" : "NODE_BAD_RESPONSE",
    details: hide(text.slice(0, 200)),
  });
}
