import { NodeError } from "../errors/nodeError.ts";
import type { HttpAnswer } from "./exchange.ts";
import type { HttpEndpoint } from "./endpoint.ts";

/** What was asked, for the message about an answer that is not the protocol's. */
export interface Expectation {
  /** What was asked for: a method or a path. */
  readonly title: string;
  /** What should have come, and a question for the person who set the URL. */
  readonly expected: string;
}

/**
 * An answer that is not the protocol's. It may pass where the endpoint spoke its protocol before: a page, an empty body, half
 * an answer or the answer to another request is a proxy's fault. Otherwise the URL is probably another service's.
 */
export class ForeignAnswer extends NodeError {
  override readonly name: string = "ForeignAnswer";

  constructor(
    { shown, hide, memory }: HttpEndpoint,
    { title, expected }: Expectation,
    answer: Pick<HttpAnswer, "text" | "json">,
  ) {
    const { text } = answer;
    super(`${shown} answered ${title} with ${kindOf(answer)}, not ${expected}`, {
      code: "NODE_BAD_RESPONSE",
      details: hide(text.slice(0, 200)),
      mayPass: memory.hasAnswered,
    });
  }
}

/** True for JSON that breaks off. */
export function isHalfAnswer({ text, json }: Pick<HttpAnswer, "text" | "json">): boolean {
  return json === undefined && /^\s*[{[]/.test(text);
}

function kindOf(answer: Pick<HttpAnswer, "text" | "json">): string {
  const { text } = answer;
  if (/^\s*</.test(text)) return "a web page";
  if (text.trim() === "") return "nothing";
  return isHalfAnswer(answer) ? "half an answer" : "something else";
}
