import { InputError } from "../errors/inputError.ts";

/** Parts of a URL shorter than this occur in texts by chance and are not taken for secrets. */
const shortestSecret = 6;

/** An HTTP endpoint: where requests go, and how it may be shown. */
export interface HttpEndpoint {
  /** Scheme, host, port and at most the first segment of the path: providers put tokens into everything else. */
  readonly shown: string;
  /** Headers that carry the URL's user and password, which `fetch` refuses inside a URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL of a path below the endpoint's own, its query kept; the endpoint itself for an empty path. */
  readonly at: (path: string, query?: Readonly<Record<string, string>>) => URL;
  /** The text without whatever `shown` leaves out: some providers repeat a wrong token in their refusal. */
  readonly hide: (text: string) => string;
  /** What requests have found out about the endpoint. */
  readonly memory: EndpointMemory;
}

/** What requests have found out about an endpoint. */
export interface EndpointMemory {
  /** True once it has answered a request in its protocol. */
  hasAnswered: boolean;
}

/**
 * Reads the URL of an endpoint.
 *
 * @param title what the URL is, for the message: `RPC URL`.
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL; does not repeat it.
 */
export function parseEndpoint(text: string, title: string): HttpEndpoint {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // The text can hold a key pasted into the wrong place.
    throw new InputError(`the ${title} is not an http:// or https:// URL`, { code: "CONFIG_INVALID" });
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
    memory: { hasAnswered: false },
  };
}

/**
 * A URL as messages and logs may show it: scheme, host, port and at most the first path segment. User, password, query
 * and the rest of the path are left out because providers put access tokens into each of them.
 */
export function redactUrl(url: URL): string {
  const [first, ...rest] = url.pathname.split("/").filter((segment) => segment !== "");
  if (first === undefined) return url.origin;
  // A first segment this long is itself a token rather than a version or a chain's name.
  if (first.length > 16) return `${url.origin}/…`;
  return rest.length === 0 ? `${url.origin}/${first}` : `${url.origin}/${first}/…`;
}

/** What a text must not repeat, the longest first because a short one may be part of it. */
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

/** A part of a URL without its percent signs; as it stands where they are not an encoding. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
