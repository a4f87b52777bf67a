/** Shorter parts of a URL are common words or version numbers; replacing them would garble messages and hide nothing. */
const shortestSecret = 6;

/**
 * Takes secrets out of text that is about to be shown. No message is made with a secret in it; this guards against the
 * messages of lower layers, such as the stack that `--debug` prints.
 */
export class Scrubber {
  readonly #secrets = new Set<string>();

  /** A signing key or a password. */
  addSecret(secret: string): void {
    const bare = secret.replace(/^0x/i, "");
    if (bare.length >= shortestSecret) this.#secrets.add(bare);
  }

  /** A URL whose user, password, query and long path segments may be access tokens. */
  addUrl(text: string): void {
    if (!URL.canParse(text)) return;
    const url = new URL(text);
    for (const part of [url.username, url.password, url.search.slice(1), ...url.searchParams.values()]) {
      this.addSecret(part);
      this.addSecret(safeDecode(part));
    }
    const credentials = `${safeDecode(url.username)}:${safeDecode(url.password)}`;
    if (credentials !== ":") this.addSecret(Buffer.from(credentials).toString("base64"));
    for (const segment of url.pathname.split("/")) if (segment.length > 16) this.addSecret(segment);
  }

  /** The text with every secret replaced. */
  scrub(text: string): string {
    let clean = text;
    for (const secret of this.#secrets)
      clean = clean.replace(new RegExp(secret.replace(/[^\w]/g, "\\$&"), "gi"), "[secret]");
    return clean;
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
