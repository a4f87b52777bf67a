import { InputError } from "@vipscore/core/errors";
import { formatBech32, parseAccount } from "@vipscore/core/values";

/** Shorter values are common words or numbers; replacing them would garble messages and hide nothing. */
const shortestSecret = 6;
/** From this length on, a value cannot be a common word by chance, so it is replaced wherever it occurs. */
const longSecret = 16;
/** Number of characters by which a part of a key is recognized. */
const recognized = 16;
/** Maximum number of characters compared: more than in a mnemonic of 24 words. */
const maxCompared = 256;

const replacement = "[secret]";

/**
 * Removes secrets from text that is about to be shown. This program's own messages contain no secrets; this guards against
 * those of lower layers, such as the stack that `--debug` prints. A secret that may also be a common word is replaced only in
 * its place: a password as a whole word, a part of a URL within a URL.
 */
export class Scrubber {
  readonly #secrets = new Map<string, RegExp>();
  readonly #keyLike = new Map<string, RegExp>();
  #hidesKeyLike = false;

  addSecret(secret: string): void {
    const bare = secret.replace(/^0x/i, "");
    if (bare.length < shortestSecret) return;
    this.#add(bare.length < longSecret ? asToken(bare) : literal(bare));
  }

  /** Adds a URL whose user, password, query and long path segments may be access tokens. */
  addUrl(text: string): void {
    // A password with a raw `/`, `#` or `?` is not where a parser finds it: all before the last @ may be part of it.
    const [, mayBeSecret = ""] = /^(?:\w+:\/\/)?(.*)@/s.exec(text) ?? [];
    if (mayBeSecret.length >= shortestSecret) this.#add(literal(mayBeSecret));
    for (const piece of mayBeSecret.split(/[/?#:@\\\s]/)) this.#addPart(piece);
    const url = URL.parse(text);
    if (url === null) return;
    this.#addPart(url.hash.slice(1));
    for (const [user, password] of spellings(url.username, url.password)) {
      const credentials = password === "" ? user : `${user}:${password}`;
      if (credentials === "") continue;
      this.#add(`(?<=//)${literal(credentials)}(?=@)`);
      if (user !== "") this.#add(`(?<=//)${literal(user)}(?=[:@])`);
      if (password !== "") this.#add(`(?<=:)${literal(password)}(?=@)`);
      this.#addPart(user);
      this.#addPart(password);
      const encoded = Buffer.from(`${user}:${password}`).toString("base64");
      this.#add(`(?<=Basic )${literal(encoded)}`);
      this.#addPart(encoded);
    }
    if (url.search.length > 1) this.#add(`(?<=\\?)${literal(url.search.slice(1))}`);
    for (const [name, value] of url.searchParams) {
      for (const [spelling] of spellings(value || name, "")) {
        if (spelling.length >= shortestSecret) this.#add(`(?<==)${literal(spelling)}(?![\\p{L}\\p{N}])`);
        this.#addPart(spelling);
      }
    }
    for (const segment of url.pathname.split("/")) if (segment.length > longSecret) this.#add(literal(segment));
  }

  /**
   * Adds a user's argument or setting, which may have a URL in the wrong place. Parts that look like a key may be a key in the wrong place, or an address, so they are
   * removed only from errors: see {@link hideKeyLike}.
   */
  addGiven(text: string): void {
    for (const [url] of text.matchAll(/\w+:\/\/[^\s"]+/g)) this.addUrl(url);
    for (const part of keyLikeParts(text)) {
      this.#addKeyLike(part);
      const bech32 = asBech32(part);
      if (bech32 !== undefined) this.#addKeyLike(bech32);
    }
  }

  /** No longer removes a text that was given, once it is known to be no key. */
  release(text: string): void {
    for (const key of this.#keyLike.keys()) if (key.toLowerCase() === text) this.#keyLike.delete(key);
  }

  /** From now on removes what {@link addGiven} found, whole or in part. */
  hideKeyLike(): void {
    this.#hidesKeyLike = true;
  }

  scrub(text: string): string {
    let clean = text;
    for (const pattern of this.#secrets.values()) clean = clean.replace(pattern, replacement);
    if (this.#hidesKeyLike) for (const pattern of this.#keyLike.values()) clean = clean.replace(pattern, replacement);
    return clean;
  }

  /** Adds a part of a URL that may occur outside of one, unless it is an ordinary word or number. */
  #addPart(part: string): void {
    if (part.length >= longSecret) this.#add(literal(part));
    else if (part.length >= shortestSecret && !/^(?:\p{L}+|\p{N}+)$/u.test(part)) this.#add(asToken(part));
  }

  #add(pattern: string): void {
    if (!this.#secrets.has(pattern)) this.#secrets.set(pattern, new RegExp(pattern, "giu"));
  }

  /** A message may truncate text anywhere, so this matches every prefix of the key that is long enough. */
  #addKeyLike(key: string): void {
    if (this.#keyLike.has(key)) return;
    const characters = Array.from(key.slice(0, maxCompared), (character) =>
      /\s/.test(character) ? "\\s+" : literal(character),
    );
    const rest = characters.slice(recognized);
    const pattern = characters.slice(0, recognized).join("") + rest.map((character) => `(?:${character}`).join("");
    this.#keyLike.set(key, new RegExp(pattern + ")?".repeat(rest.length), "giu"));
  }
}

/** Returns a user and a password as written in the URL, and decoded. */
function spellings(user: string, password: string): readonly (readonly [string, string])[] {
  return [
    [user, password],
    [safeDecode(user), safeDecode(password)],
  ];
}

/** Returns a pattern that matches the text only as a whole, not as part of a word, a number or a name. */
function asToken(text: string): string {
  return `(?<![\\p{L}\\p{N}._/-])${literal(text)}(?![\\p{L}\\p{N}_/-]|\\.\\p{L})`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Returns the bech32 address of 32 bytes, from which anyone can decode them. */
function asBech32(digits: string): string | undefined {
  if (!/^[0-9a-f]{64}$/i.test(digits)) return undefined;
  try {
    return formatBech32(parseAccount(`0x${digits}`, { accountBytes: [32] }));
  } catch {
    return undefined;
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** More hex digits than an address of 20 bytes: a private key, possibly truncated, or an address of 32 bytes. */
const digits = /[0-9a-f]{48,}/gi;

/** Twelve words or more, as in a mnemonic. */
const phrase = /(?<!\p{L})\p{L}{3,}(?:[\s,_-]+\p{L}{3,}){11,}/gu;

/** Returns the parts of a text that look like a private key or a mnemonic. */
export function keyLikeParts(text: string): readonly string[] {
  return [...text.matchAll(digits), ...text.matchAll(phrase)].map(([part]) => part);
}

const secretFlags = /^--?(private-?key|pk|mnemonic|seed-?phrase|secret|password|passphrase|keystore-password)(=|$)/i;

/** Refuses flags that would carry a secret: arguments appear in the shell history and the process list. */
export function refuseSecretArguments(argv: readonly string[]): void {
  const found = argv.find((argument) => secretFlags.test(argument));
  if (found === undefined) return;
  throw new InputError(`${found.split("=")[0]} is refused: a secret must not be an argument`, {
    code: "KEY_INVALID",
    metaMessages: [
      "Arguments appear in the shell history and the process list: consider this secret exposed.",
      "Set PRIVATE_KEY in the environment, or use --keystore FILE with KEYSTORE_PASSWORD.",
    ],
  });
}
