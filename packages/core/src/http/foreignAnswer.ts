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

/** An answer with the status of success that is not the protocol's. */
export class ForeignAnswer extends NodeError {
  override readonly name: string = "ForeignAnswer";
  /**
   * True for a page, an empty body or half an answer of an endpoint that spoke its protocol before: a proxy's fault that may
   * pass. Else the URL is probably another service's.
   */
  readonly mayPass: boolean;

  constructor(
    { shown, hide, memory }: HttpEndpoint,
    { title, expected }: Expectation,
    { text, json }: Pick<HttpAnswer, "text" | "json">,
  ) {
    const kind = /^\s*</.test(text) ? "a web page" : text.trim() === "" ? "nothing" : "something else";
    super(`${shown} answered ${title} with ${kind}, not ${expected}`, {
      code: "NODE_BAD_RESPONSE",
      details: hide(text.slice(0, 200)),
    });
    this.mayPass = memory.hasAnswered && json === undefined;
  }
}
