import { afterAll, afterEach, beforeAll } from "vitest";
import { createHardhatProvider, serveJsonRpc, type HardhatProvider, type LoopbackServer } from "@vipscore/localnet";

/** Hardhat behind a server. */
export interface PlayedHardhat extends Pick<HardhatProvider, "request"> {
  url: string;
  /** The methods that a test has called. */
  calls: string[];
  /** Answers a test's calls in place of the chain; undefined leaves a call to it. */
  instead: (method: string, params: readonly unknown[]) => unknown;
}

/** Starts Hardhat behind a server before the tests of a suite, and stops both after them. */
export function playHardhat(): PlayedHardhat {
  let chain: HardhatProvider;
  let server: LoopbackServer;
  const played: PlayedHardhat = {
    url: "",
    calls: [],
    instead: () => undefined,
    request: (call) => chain.request(call),
  };
  beforeAll(async () => {
    chain = await createHardhatProvider();
    server = await serveJsonRpc(async (method, params) => {
      played.calls.push(method);
      const own = await played.instead(method, params);
      return own === undefined ? chain.request({ method, params }) : own;
    }, 0);
    played.url = server.url;
  });
  afterEach(() => {
    Object.assign(played, { calls: [], instead: () => undefined });
  });
  afterAll(async () => {
    await server.close();
    await chain.close();
  });
  return played;
}
