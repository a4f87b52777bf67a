import { NodeError } from "../errors/nodeError.ts";

/** Where an answer came from, for messages. */
export interface AnswerSource {
  /** Where the request went, without credentials. */
  readonly endpoint: string;
  /** What was asked for: a path or a method. */
  readonly title: string;
  /** A text without what may be a credential of the endpoint; see `HttpEndpoint`. Default: the text itself. */
  readonly hide?: (text: string) => string;
}

/**
 * An answer in the endpoint's protocol that does not hold what was asked for: a field is missing or has another type. A read
 * is repeated for a few seconds, because a proxy or a node under load was seen to give such answers once.
 */
export class UnreadableAnswer extends NodeError {
  override readonly name: string = "UnreadableAnswer";

  /**
   * @param what - What is wrong, after "something unreadable": `tx_response.code is not a number`.
   * @param found - What the endpoint sent in its place.
   */
  constructor({ endpoint, title, hide = (text) => text }: AnswerSource, what: string, found: string, cause?: unknown) {
    super(`${endpoint} answered ${title} with something unreadable: ${what}`, {
      code: "NODE_BAD_RESPONSE",
      details: hide(found.slice(0, 200)),
      mayPass: true,
      cause,
    });
  }
}
