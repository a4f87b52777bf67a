import { InputError } from "../errors/inputError.ts";
import { Pace } from "./pace.ts";

/** Shorter parts of a URL occur in texts by chance and are not treated as secrets. */
const shortestSecret = 6;

/** An HTTP endpoint: where requests go, and how messages show it. */
export interface HttpEndpoint {
  /** Scheme, host, port and at most the first segment of the path: providers put tokens into all other parts. */
  readonly shown: string;
  /** Headers with the URL's user and password, which `fetch` rejects inside a URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the URL of a path below the endpoint's path, keeping its query; the endpoint itself for an empty path. */
  readonly at: (path: string, query?: Readonly<Record<string, string>>) => URL;
  /** Removes from a text the parts that `shown` omits: some providers repeat a wrong token in their refusal. */
  readonly hide: (text: string) => string;
  /** Facts that requests have learned about the endpoint. */
  readonly memory: EndpointMemory;
}

/** Facts that requests have learned about an endpoint. */
export interface EndpointMemory {
  /** True once it has answered a request in its protocol. */
  hasAnswered: boolean;
  /** Shared by all requests. */
  readonly pace: Pace;
}

/** Shapes of what people write in place of a URL, and what to write. */
const urlHints: readonly (readonly [shape: RegExp, hint: string])[] = [
  [/^\s*["'`]|["'`]\s*$/, "It has quotes around it: remove them."],
  [/^\s*wss?:/i, "WebSockets are not supported: write the node's http:// or https:// URL."],
  [
    /^\s*(\[[\da-f:]+\]|[a-z\d-]+(\.[a-z\d-]+)*):\d+(\/|\s*$)/i,
    "It has no scheme: write http:// or https:// before it.",
  ],
  [/^\s*[a-z\d-]+(\.[a-z\d-]+)+(\/|\s*$)/i, "It has no scheme: write http:// or https:// before it."],
];

/**
 * Parses the URL of an endpoint; `tcp://` is http.
 *
 * @param title What the URL is, for messages: `RPC URL`.
 * @throws InputError `CONFIG_INVALID` if the text is not an http or https URL; the message does not repeat the text.
 */
export function parseEndpoint(text: string, title: string): HttpEndpoint {
  // As CometBFT's own programs name it.
  const web = text.replace(/^\s*tcp:/i, "http:");
  const url = URL.canParse(web) ? new URL(web) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The text can hold a key pasted into the wrong place.
    const hint = urlHints.find(([shape]) => shape.test(text))?.[1];
    throw new InputError(`the ${title} is not an http:// or https:// URL`, {
      code: "CONFIG_INVALID",
      ...(hint === undefined ? {} : { metaMessages: [hint] }),
    });
  }
  const shown = redactUrl(url);
  const secrets = secretsOf(url).filter((secret) => !shown.includes(secret));
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  bare.hash = "";
  return {
    shown,
    headers: credentialHeaders(url),
    at: (path, query = {}) => {
      const full = new URL(bare);
      if (path !== "") full.pathname = bare.pathname.replace(/\/+$/, "") + path;
      for (const [name, value] of Object.entries(query)) full.searchParams.set(name, value);
      return full;
    },
    hide: (message) => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), message),
    memory: { hasAnswered: false, pace: new Pace() },
  };
}

/**
 * Formats a URL for messages and logs: scheme, host, port and at most the first path segment. User, password, query
 * and the rest of the path are left out because providers put access tokens into each of them.
 */
export function redactUrl(url: URL): string {
  const [first, ...rest] = url.pathname.split("/").filter((segment) => segment !== "");
  if (first === undefined) return url.origin;
  // A first segment this long is a token, not a version or a chain's name.
  if (first.length > 16) return `${url.origin}/…`;
  return rest.length === 0 ? `${url.origin}/${first}` : `${url.origin}/${first}/…`;
}

/** Texts that must not be repeated, longest first because a short text may be part of a longer one. */
function secretsOf(url: URL): readonly string[] {
  const parts = [url.username, url.password, ...url.searchParams.values(), ...url.pathname.split("/")];
  const spellings = parts.flatMap((part) => [part, decodePart(part)]);
  return spellings.filter((part) => part.length >= shortestSecret).sort((a, b) => b.length - a.length);
}

function credentialHeaders(url: URL): Readonly<Record<string, string>> {
  if (url.username === "" && url.password === "") return {};
  const credentials = Buffer.from(`${decodePart(url.username)}:${decodePart(url.password)}`);
  return { authorization: `Basic ${credentials.toString("base64")}` };
}

/** Decodes a percent-encoded part of a URL; returns it unchanged if the encoding is invalid. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
