import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/** What {@link KeptAnswers} needs to know of the data that its answers show. */
export interface KeptAnswersOptions {
  /** Reads what differs after every write that changes an answer. It must settle, because later requests wait for it. */
  readonly readVersion: () => Promise<string | number>;
  /** Called with each request that a kept answer serves. */
  readonly onKept: () => void;
  /** Maximum bytes of all answers; one above a sixteenth is not kept. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/** An answer with status 200. */
export interface Answer {
  readonly body: Uint8Array<ArrayBuffer>;
  /** Strong, from the body: every process has the same, and a new version with the same body too. */
  readonly etag: string;
  /** True if no later answer differs. */
  readonly isFinal: boolean;
}

/** The body of an answer; `final` is one that no later answer differs from. */
export type Body = string | { readonly final: string };

/** What an answer takes besides its body and its key, at most. */
const entryBytes = 512;

/**
 * Answers of one kind of data, kept by their URL until its version changes; the least recently used one is dropped first.
 *
 * Every request waits for a version that was read after it arrived, and an answer is kept under the version that was read
 * before it was computed. So it may show what is newer than its version, and is dropped then, but never what is older.
 */
export class KeptAnswers {
  readonly #options: KeptAnswersOptions;
  readonly #maxBytes: number;
  /** In order of use. */
  readonly #kept = new Map<string, { readonly version: string | number; readonly answer: Answer }>();
  readonly #computing = new Map<string, Promise<Answer | undefined>>();
  #bytes = 0;
  #lastVersion: Promise<unknown> = Promise.resolve();
  #nextVersion: Promise<string | number> | undefined;

  constructor(options: KeptAnswersOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? 64 * 2 ** 20;
  }

  /** True if there is an answer, of whatever version. */
  has(url: string): boolean {
    return this.#kept.has(url);
  }

  /** Returns the answer to a request that has just arrived; undefined if none is kept of the current version. */
  async find(url: string): Promise<Answer | undefined> {
    return this.#find(url, await this.#readVersion());
  }

  /**
   * Returns the answer to a request that has just arrived.
   *
   * @param compute - Returns its body; undefined, as an error, is not kept.
   */
  async get(url: string, compute: () => Promise<Body | undefined>): Promise<Answer | undefined> {
    const version = await this.#readVersion();
    const kept = this.#find(url, version);
    if (kept !== undefined) return kept;
    // Only of the same version: what another request computes may have been read before this one arrived.
    const key = `${version} ${url}`;
    let computing = this.#computing.get(key);
    if (computing === undefined) {
      computing = this.#compute(url, version, compute).finally(() => this.#computing.delete(key));
      this.#computing.set(key, computing);
    }
    return computing;
  }

  #find(url: string, version: string | number): Answer | undefined {
    const kept = this.#kept.get(url);
    if (kept?.version !== version) return undefined;
    this.#kept.delete(url);
    this.#kept.set(url, kept);
    this.#options.onKept();
    return kept.answer;
  }

  /** Reads the version; requests that arrive before a reading begins share it. */
  #readVersion(): Promise<string | number> {
    this.#nextVersion ??= this.#lastVersion.then(async () => {
      // The requests that have arrived by now are taken from their sockets first.
      await setImmediate();
      this.#nextVersion = undefined;
      const reading = this.#options.readVersion();
      this.#lastVersion = reading.catch(() => undefined);
      return reading;
    });
    return this.#nextVersion;
  }

  async #compute(url: string, version: string | number, compute: () => Promise<Body | undefined>) {
    const computed = await compute();
    if (computed === undefined) return undefined;
    const isFinal = typeof computed !== "string";
    // Not a Buffer: a short one would hold the memory of several.
    const body = new TextEncoder().encode(isFinal ? computed.final : computed);
    const answer = { body, etag: `"${hash("sha1", body, "base64url")}"`, isFinal };
    this.#drop(url);
    const bytes = bytesOf(url, answer);
    if (bytes > this.#maxBytes / 16) return answer;
    this.#kept.set(url, { version, answer });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
    return answer;
  }

  #drop(url: string): void {
    const kept = this.#kept.get(url);
    if (kept === undefined) return;
    this.#kept.delete(url);
    this.#bytes -= bytesOf(url, kept.answer);
  }
}

function bytesOf(url: string, { body }: Answer): number {
  return body.byteLength + url.length + entryBytes;
}

/** The headers of an answer with a status: a browser keeps it too, but asks each time whether it has changed, unless it cannot. */
export function headersOf({ etag, isFinal }: Answer, status: 200 | 304): Readonly<Record<string, string>> {
  const headers = { etag, "cache-control": isFinal ? "public, max-age=86400, immutable" : "no-cache" };
  return status === 304 ? headers : { "content-type": "application/json", ...headers };
}

/** True if a request with this `If-None-Match` has the answer: RFC 9110, 13.1.2, which compares weak tags like strong ones. */
export function isKnown(ifNoneMatch: string | undefined, { etag }: Answer): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || (ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
