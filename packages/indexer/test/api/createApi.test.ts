import { expect, it } from "vitest";
import { createApi, type ApiOptions } from "../../src/api/createApi.ts";
import type { HexAddress } from "../../src/chain/nftChain.ts";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { idsOf, nft, openSample, read } from "./sample.ts";

const aa = `${nft}/tokens/by_account/0xaa`;

it("answers other paths and methods as text", async () => {
  const api = createApi({ store: await openSample(async () => ":memory:") });
  const answer = async (method: string, path: string) => {
    const response = await api.request(path, { method });
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    return [response.status, await response.text()];
  };
  expect(await answer("GET", "/indexer/nft/v1/tokens/by_account")).toEqual([
    404,
    "Cannot GET /indexer/nft/v1/tokens/by_account",
  ]);
  expect(await answer("GET", "/a%20b?c=d")).toEqual([404, "Cannot GET /a%20b"]);
  expect(await answer("POST", "/nowhere")).toEqual([404, "Cannot POST /nowhere"]);
  expect(await answer("POST", "/status")).toEqual([405, "Method Not Allowed"]);
  expect(await answer("DELETE", aa)).toEqual([405, "Method Not Allowed"]);
  expect((await api.request(aa, { method: "HEAD" })).status).toBe(200);
});

it("allows web pages of the given origins, and no others", async () => {
  const store = await openSample(async () => ":memory:");
  const allowed = async (origin: string, options: Partial<ApiOptions>) => {
    const response = await createApi({ store, ...options }).request("/status", { headers: { origin } });
    return response.headers.get("access-control-allow-origin");
  };
  expect(await allowed("https://a.example", {})).toBeNull();
  expect(await allowed("https://a.example", { corsOrigins: [] })).toBeNull();
  expect(await allowed("https://a.example", { corsOrigins: ["https://a.example"] })).toBe("https://a.example");
  expect(await allowed("https://b.example", { corsOrigins: ["https://a.example"] })).toBeNull();
  expect(await allowed("https://b.example", { corsOrigins: ["*"] })).toBe("*");
  const { headers } = await createApi({ store, corsOrigins: ["*"] }).request("/status");
  expect(headers.get("access-control-expose-headers")).toBe("ETag,Retry-After");
});

it("skips a row that cannot be written, and reports it to the operator", async () => {
  const sample = await openSample(async () => ":memory:");
  const bad = { toString: () => "no address" } as unknown as HexAddress;
  const store: Store = {
    ...sample,
    readTokens: async (request) =>
      (await sample.readTokens(request)).map((row) => (row.tokenId === "2" ? { ...row, owner: bad } : row)),
  };
  const errors: unknown[] = [];
  const answer = await read(
    createApi({ store, onError: (error) => errors.push(error) }),
    `${nft}/tokens/by_collection/c1`,
  );
  expect(idsOf(answer)).toEqual(["5", "4", "3", "1"]);
  expect(errors).toHaveLength(1);
});

it("answers 500 without details if the database fails, and reports it to the operator", async () => {
  const store = await openStore(":memory:");
  await store.close();
  const errors: unknown[] = [];
  const api = createApi({ store, onError: (error) => errors.push(error) });
  for (const path of [aa, "/status", `${nft}/collections/c1`]) {
    const response = await api.request(path);
    expect([response.status, await response.text()]).toEqual([500, "Internal Server Error"]);
  }
  expect(errors).toHaveLength(3);
});
