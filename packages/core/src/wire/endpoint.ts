import { existsSync, readFileSync } from "node:fs";
import { InputError } from "../errors/inputError.ts";
import { Pace } from "./pace.ts";

/** Shorter parts of a URL occur in texts by chance and are not treated as secrets. */
const shortestSecret = 6;

/** Firewalls block programs that do not name themselves. A bundler may leave out the file. */
const packageFile = new URL("../../package.json", import.meta.url);
const packageText = existsSync(packageFile) ? readFileSync(packageFile, "utf8") : "";
const userAgent = `vipscore/${/"version": "(.*?)"/.exec(packageText)?.[1] ?? "unknown"}`;

/** An HTTP endpoint: where requests go, and how messages show it. */
export interface HttpEndpoint {
  /** Scheme, host and port: providers put tokens into all other parts. */
  readonly shown: string;
  /** Headers that name this program, and the URL's user and password, which `fetch` rejects inside a URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the URL of a path below the endpoint's path, keeping its query; the endpoint itself for an empty path. */
  readonly at: (path: string, query?: Readonly<Record<string, string>>) => URL;
  /** Removes from a text the parts that `shown` omits: some providers repeat a wrong token in their refusal. */
  readonly hide: (text: string) => string;
  /** What requests have learned about the endpoint: whether it has answered one in its protocol, and its pace. */
  readonly memory: { hasAnswered: boolean; readonly pace: Pace };
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

/** What to write for the characters that end a user or a password. */
const encodeHint =
  "Percent-encode its user and password: write %2F for /, %23 for #, %3F for ?, %40 for @ and %25 for %; %40 also behind the host.";

/** What a URL must be: its scheme, and how messages name it. */
type UrlForm = readonly [scheme: RegExp, name: string];
const webUrl: UrlForm = [/^https?:$/, "an http:// or https://"];
/** A database's URL. */
export const postgresUrl: UrlForm = [/^postgres(ql)?:$/, "a postgres://"];

/**
 * Parses a URL that may hold a secret. Nothing else parses one: of what it cannot read it shows nothing.
 *
 * @param title What the URL is, for messages: `RPC URL`.
 * @throws InputError `CONFIG_INVALID`; the message does not repeat the text.
 */
export function parseSecretUrl(text: string, title: string, [scheme, form]: UrlForm): URL {
  const url = URL.parse(text);
  const isWhole = url !== null && isUnambiguous(url);
  if (isWhole && scheme.test(url.protocol)) return url;
  // The text can hold a key pasted into the wrong place.
  const hint = urlHints.find(([shape]) => shape.test(text))?.[1] ?? (isWhole || !/[@%]/.test(text) ? "" : encodeHint);
  throw new InputError(`the ${title} ${isWhole ? "is not" : "cannot be read as"} ${form} URL`, {
    code: "CONFIG_INVALID",
    ...(hint === "" ? {} : { metaMessages: [hint] }),
  });
}

/** False if a raw `/`, `#` or `?` in the password may have ended the host, so that what is left of it looks public (node-postgres 3376). */
function isUnambiguous({ username, password, pathname, search, hash }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return !(pathname + search + hash).includes("@");
  } catch {
    return false;
  }
}

/**
 * Parses the URL of an endpoint; `tcp://` is http.
 *
 * @param title What the URL is, for messages: `RPC URL`.
 * @throws InputError `CONFIG_INVALID` if the text is not an http or https URL; the message does not repeat the text.
 */
export function parseEndpoint(text: string, title: string): HttpEndpoint {
  // As CometBFT's own programs name it.
  const web = text.replace(/^\s*tcp:/i, "http:");
  const url = parseSecretUrl(web, title, webUrl);
  const shown = redactUrl(url);
  const { username, password } = url;
  const basic = Buffer.from(`${decodePart(username)}:${decodePart(password)}`).toString("base64");
  const hasUser = username !== "" || password !== "";
  const secrets = [...(hasUser ? [basic] : []), ...secretsOf(url)];
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  bare.hash = "";
  return {
    shown,
    headers: { "user-agent": userAgent, ...(hasUser && { authorization: `Basic ${basic}` }) },
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

/** Formats a URL for messages and logs: scheme, host and port. Providers put access tokens into each of its other parts. */
export function redactUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname.length > 1 ? "/…" : ""}`;
}

/** Texts that must not be repeated, longest first because a short text may be part of a longer one. */
function secretsOf({ username, password, pathname, searchParams, search, hash }: URL): readonly string[] {
  const query = [...searchParams].map(([name, value]) => value || name);
  const parts = [username, password, ...pathname.split("/"), ...search.split(/[?&=]/), ...query, hash.slice(1)];
  // Names of parameters, such as `apikey`, are words of refusals.
  const secrets = parts.flatMap((part) => (searchParams.get(part) ? [] : [part, decodePart(part)]));
  return secrets.filter((part) => part.length >= shortestSecret).sort((a, b) => b.length - a.length);
}

/** Decodes a percent-encoded part of a URL; returns it unchanged if the encoding is invalid. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
