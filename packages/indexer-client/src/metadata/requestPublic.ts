import { httpsUrl } from "./locate.ts";
import { MetadataFault } from "./metadataFault.ts";

type Addresses = readonly { readonly address: string }[];
type Lookup = (host: string, options: object, found: (error: Error | null, addresses: Addresses) => void) => void;

/** The parts of an answer of Node in use; it is another stream, which Node's `Response` also takes as its body. */
interface Incoming extends ReadableStream {
  readonly statusCode: number;
  readonly headers: { readonly location?: string; readonly "content-type"?: string };
  destroy(): void;
}

/** The parts of Node's modules in use. */
interface NodeModules {
  "node:dns": { readonly lookup: Lookup };
  "node:https": {
    request(
      url: string,
      options: object,
      answer: (incoming: Incoming) => void,
    ): { on(event: "error", fail: (error: Error) => void): { end(): void } };
  };
  "node:net": {
    isIP(text: string): number;
    readonly BlockList: new () => {
      addSubnet(start: string, prefix: number, family: string): void;
      check(address: string, family: string): boolean;
    };
  };
}

// Declared here because browsers, which lack it, have no types for it.
declare const process:
  | {
      readonly versions?: { readonly node?: string };
      getBuiltinModule?<Name extends keyof NodeModules>(name: Name): NodeModules[Name];
    }
  | undefined;

/** IPv4 that is not public: for a special purpose (IANA's registry, RFC 6890), multicast, reserved. */
const special4 = (
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3"
).split(" ");

/**
 * IPv6 that is not public: outside of 2000::/3, as are loopback, link-local, unique local and IPv4 in IPv6; and within it
 * that for a special purpose, such as Teredo and 6to4, which also have an IPv4 address in them.
 */
const special6 = "::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20".split(" ");

const maxRedirects = 5;

const requestHeaders = { "accept-encoding": "identity", "user-agent": "vipscore" };

/**
 * Requests an https URL and follows redirects: in Node at most five, and only to public addresses; elsewhere with the
 * platform's `fetch`, whose rules apply.
 *
 * @throws MetadataFault `METADATA_PRIVATE_ADDRESS` or `METADATA_REDIRECT`; another error if there is no answer.
 */
export function requestPublic(url: string, signal: AbortSignal): Promise<Response> {
  const { navigator }: { navigator?: { readonly userAgent?: string } } = globalThis;
  // Cloudflare's workers have modules of Node, but their own fetch reaches no private network.
  const isWorker = navigator?.userAgent === "Cloudflare-Workers";
  const isNode = typeof process !== "undefined" && process.versions?.node !== undefined && !isWorker;
  return isNode ? requestFromNode(url, signal) : requestByFetch(url, signal);
}

async function requestByFetch(url: string, signal: AbortSignal): Promise<Response> {
  // Only browsers have cookies; other platforms may refuse the option.
  const response = await fetch(url, "location" in globalThis ? { signal, credentials: "omit" } : { signal });
  if (response.url.startsWith("http:")) throw new MetadataFault("METADATA_REDIRECT", "redirects to http");
  return response;
}

async function requestFromNode(url: string, signal: AbortSignal): Promise<Response> {
  let target: string | undefined = url;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const incoming: Incoming = await send(target, signal);
    const { statusCode: status, headers } = incoming;
    if (status < 300 || status > 399 || headers.location === undefined) {
      // Nobody reads the body of a failure, and a Response of some statuses must not have one.
      const type = headers["content-type"] ?? "";
      return new Response(status === 200 ? incoming : null, { status, headers: { "content-type": type } });
    }
    incoming.destroy();
    target = httpsUrl(headers.location, target);
    if (target === undefined) throw new MetadataFault("METADATA_REDIRECT", "redirects to a URL that is not https");
  }
  throw new MetadataFault("METADATA_REDIRECT", `redirects more than ${maxRedirects} times`);
}

/**
 * Sends one request. It connects to the addresses that it has checked: with `fetch`, a name could have another one a
 * moment later.
 */
async function send(url: string, signal: AbortSignal): Promise<Incoming> {
  const getModule = process?.getBuiltinModule?.bind(process);
  if (!getModule) throw new MetadataFault("METADATA_UNREACHABLE", "needs Node 20.16 or newer");
  const net = getModule("node:net");
  const findFault = (addresses: Addresses): MetadataFault | null => {
    const refused = addresses.find(({ address }) => {
      const [family, subnets] = net.isIP(address) === 6 ? ["ipv6", special6] : ["ipv4", special4];
      // One list for both families would also compare IPv4 with the IPv6 subnets.
      const list = new net.BlockList();
      for (const [start = "", prefix] of subnets.map((each) => each.split("/")))
        list.addSubnet(start, Number(prefix), family);
      return list.check(address, family);
    });
    return refused ? new MetadataFault("METADATA_PRIVATE_ADDRESS", `${refused.address} is not a public address`) : null;
  };
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  // Node looks up names, not addresses.
  let isChecked = net.isIP(host) !== 0;
  const fault = isChecked ? findFault([{ address: host }]) : null;
  if (fault) throw fault;
  const lookup: Lookup = (name, options, found) =>
    getModule("node:dns").lookup(name, options, (error, addresses) => {
      isChecked = true;
      found(error ?? findFault(addresses), addresses);
    });
  // Without an agent: no proxy, and no connection that other code has opened. The family is to make Node look up all addresses.
  const options = { agent: false, autoSelectFamily: true, lookup, signal, headers: requestHeaders };
  return new Promise((resolve, reject) => {
    const answer = (incoming: Incoming) =>
      // Other platforms with Node's modules may ignore `lookup`.
      isChecked ? resolve(incoming) : reject(new MetadataFault("METADATA_PRIVATE_ADDRESS", "cannot be checked"));
    getModule("node:https").request(url, options, answer).on("error", reject).end();
  });
}
