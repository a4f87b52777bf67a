import { NodeError } from "../errors/nodeError.ts";
import type { HttpEndpoint } from "./endpoint.ts";
import type { HttpAnswer } from "./exchange.ts";

/** The request, for the message about an answer outside the protocol. */
export interface Expectation {
  /** A method or a path. */
  readonly title: string;
  /** The expected protocol, and a question for the person who set the URL. */
  readonly expected: string;
}

/**
 * An answer outside the protocol: a web page, an empty body, half an answer or the answer to another request. If the
 * endpoint spoke the protocol before, it is a proxy's fault and may last as long as an outage. Otherwise the URL may belong
 * to another service, and a read gives up soon.
 */
export class ForeignAnswer extends NodeError {
  static override readonly className: string = "ForeignAnswer";

  override readonly name: string = "ForeignAnswer";
  /** True if the endpoint never answered in the protocol. */
  readonly fromStranger: boolean;

  constructor(
    { shown, hide, memory }: HttpEndpoint,
    { title, expected }: Expectation,
    answer: Pick<HttpAnswer, "text" | "json">,
  ) {
    const { text } = answer;
    super(`${shown} answered ${title} with ${kindOf(answer)}, not ${expected}`, {
      code: "NODE_BAD_RESPONSE",
      details: hide(text.slice(0, 200)),
      mayPass: true,
    });
    this.fromStranger = !memory.hasAnswered;
  }
}

/** True for truncated JSON. */
export function isHalfAnswer({ text, json }: Pick<HttpAnswer, "text" | "json">): boolean {
  return json === undefined && /^\s*[{[]/.test(text);
}

function kindOf(answer: Pick<HttpAnswer, "text" | "json">): string {
  const { text } = answer;
  if (/^\s*</.test(text)) return "a web page";
  if (text.trim() === "") return "nothing";
  return isHalfAnswer(answer) ? "half an answer" : "something else";
}
