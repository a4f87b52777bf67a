import { MetadataFault } from "./metadataFault.ts";

/** Gateways in the order of use: https URLs, each with everything before the ID. */
export interface Gateways {
  readonly ipfs: readonly string[];
  readonly arweave: readonly string[];
}

/** Gateways that anyone may use, as of 2026-11. They limit requests: a busy page uses its own. */
export const publicGateways: Gateways = {
  ipfs: ["https://ipfs.io/ipfs/", "https://dweb.link/ipfs/"],
  arweave: ["https://arweave.net/"],
};

/**
 * Returns the https URLs of what a URI names, in the order of use.
 *
 * @param gateways each with a slash at its end.
 * @throws MetadataFault `METADATA_SCHEME` or `METADATA_BAD_URI`.
 */
export function locate(uri: string, gateways: Gateways): readonly string[] {
  const [, scheme = "", path = ""] = /^([a-z][a-z\d+.-]*):(?:\/\/)?(.*)$/is.exec(uri) ?? [];
  switch (scheme.toLowerCase()) {
    case "https":
      return [httpsUrl(uri) ?? badUri("is not a URL with a host and without user and password")];
    case "ipfs":
      return throughGateways(gateways.ipfs, path.replace(/^ipfs\//, ""), /^[a-z\d]{46,}$/i);
    case "ar":
      return throughGateways(gateways.arweave, path, /^[\w-]{43}$/);
    default:
      throw new MetadataFault("METADATA_SCHEME", `"${scheme.slice(0, 20)}" is not https, ipfs, ar or data`);
  }
}

function throughGateways(gateways: readonly string[], path: string, idForm: RegExp): readonly string[] {
  const [id = ""] = path.split(/[/?#]/, 1);
  if (!idForm.test(id)) badUri("has no content ID");
  return gateways.map((gateway) => {
    // Names of files may have a `#`.
    const url = httpsUrl(gateway + path.replaceAll("#", "%23")) ?? "";
    // Dots in the path would lead out of what the ID names.
    return `${url}/`.replace("?", "/").startsWith(`${gateway + id}/`) ? url : badUri("leaves its content ID");
  });
}

function badUri(message: string): never {
  throw new MetadataFault("METADATA_BAD_URI", message);
}

/** Returns a URL in its normal form; undefined if it is not https, or has a user or password. */
export function httpsUrl(text: string, base?: string): string | undefined {
  try {
    const { protocol, username, password, href } = new URL(text, base);
    return protocol === "https:" && !username && !password ? href : undefined;
  } catch {
    return undefined;
  }
}
