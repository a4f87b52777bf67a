import { NodeError } from "../errors/nodeError.ts";

/** The source of an answer, for messages. */
export interface AnswerSource {
  /** The URL that the request went to, without credentials. */
  readonly endpoint: string;
  /** The path or method that was requested. */
  readonly title: string;
  /** Removes possible credentials of the endpoint from a text; see `HttpEndpoint`. Default: returns the text unchanged. */
  readonly hide?: (text: string) => string;
}

/**
 * An answer in the endpoint's protocol without the requested data: a field is missing or has another type. A read
 * is retried for a few seconds, because proxies and nodes under load have given such answers once.
 */
export class UnreadableAnswer extends NodeError {
  static override readonly className: string = "UnreadableAnswer";

  override readonly name: string = "UnreadableAnswer";

  /**
   * @param what - What is wrong, after "something unreadable": `tx_response.code is not a number`.
   * @param found - What the endpoint sent instead.
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
