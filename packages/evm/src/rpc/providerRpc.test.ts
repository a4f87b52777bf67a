import { expect, test } from "vitest";
import { providerRpc } from "./providerRpc.ts";

test("a request reaches the provider", async () => {
  const rpc = providerRpc({ request: async ({ method, params }) => ({ method, params }) });
  expect(await rpc.request("eth_call", [1], { attempts: "read" })).toEqual({ method: "eth_call", params: [1] });
});

test("a provider's numbered error is the node's", async () => {
  const fault = Object.assign(new Error("execution reverted"), { code: 3, data: "0x01" });
  const rpc = providerRpc({ request: () => Promise.reject(fault) });
  await expect(rpc.request("eth_call", [], { attempts: "read" })).rejects.toMatchObject({
    code: "NODE_ERROR",
    rpcCode: 3,
    data: "0x01",
  });
});

test("any other fault of a provider is an endpoint that does not answer; a read tries again", async () => {
  let requests = 0;
  const request = () => ((requests += 1) === 1 ? Promise.reject(new Error("socket closed")) : Promise.resolve("0x1"));
  const rpc = providerRpc({ request });
  expect(await rpc.request("eth_chainId", [], { attempts: "read" })).toBe("0x1");
  requests = 0;
  await expect(rpc.request("eth_sendRawTransaction", [], { attempts: "once" })).rejects.toMatchObject({
    code: "NODE_UNREACHABLE",
  });
});

test("an abort ends the waiting for a provider with the caller's reason", async () => {
  const caller = new AbortController();
  const rpc = providerRpc({ request: () => new Promise(() => {}) });
  const request = rpc.request("eth_chainId", [], { attempts: "read", signal: caller.signal });
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(request).rejects.toBe(reason);
  await expect(rpc.request("eth_chainId", [], { attempts: "read", signal: caller.signal })).rejects.toBe(reason);
});
