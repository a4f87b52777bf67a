import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { createApi } from "../../src/api/createApi.ts";
import { openApi } from "../../src/api/openApi.ts";
import { scoreStage } from "../scores/scoreStage.ts";
import { address, apply, block, collection, mint } from "../store/blocks.ts";
import { databases, openNew } from "../store/databases.ts";

const nft = "/indexer/nft/v1";
const move = `0x${"ab".repeat(32)}` as const;

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

const operations = Object.entries(openApi.paths as Readonly<Record<string, { readonly get: Operation }>>);

describe.each(databases)("%s", (_name, create) => {
  it.each([
    ["/tokens/by_account/{account}", `${nft}/tokens/by_account/0xaa`],
    ["/tokens/by_account/{account}", `${nft}/tokens/by_account/${move}?pagination.limit=1`],
    ["/tokens/by_account/{account}", `${nft}/tokens/by_account/0x99?pagination.offset=100`],
    ["/tokens/by_collection/{collection_addr}", `${nft}/tokens/by_collection/0xc1?pagination.count_total=false`],
    ["/collections", `${nft}/collections`],
    ["/collections/by_account/{account}", `${nft}/collections/by_account/0xaa`],
    ["/collections/by_name/{name}", `${nft}/collections/by_name/cat`],
    ["/collections/{collection_addr}", `${nft}/collections/0xc1`],
    ["/collections/{collection_addr}", `${nft}/collections/0xc9`],
    ["/collections/{collection_addr}", `${nft}/collections/zz`],
    ["/txs/{collection_addr}/{token_id}", `${nft}/txs/0xc1/1`],
    ["/tokens/by_account/{account}", `${nft}/tokens/by_account/0xaa?pagination.limit=0`],
    ["/scores/v1/stages", "/scores/v1/stages"],
    ["/scores/v1/stages/{stage}", "/scores/v1/stages/7"],
    ["/scores/v1/stages/{stage}", "/scores/v1/stages/8"],
    ["/scores/v1/stages/{stage}/accounts", "/scores/v1/stages/7/accounts?pagination.limit=1"],
    ["/scores/v1/stages/{stage}/accounts", "/scores/v1/stages/0/accounts"],
    ["/scores/v1/stages/{stage}/accounts/{account}", "/scores/v1/stages/7/accounts/0xa1"],
    ["/scores/v1/stages/{stage}/accounts/{account}", "/scores/v1/stages/7/accounts/0xa9"],
    ["/scores/v1/accounts/{account}", "/scores/v1/accounts/0xa1"],
    ["/status", "/status"],
    ["/openapi.json", "/openapi.json"],
  ])("answers %s as described (%s)", async (path, url) => {
    const store = await openNew(create);
    await apply(
      store,
      block(1, collection(address("c1"), "Cats"), collection(move, "Movers", move)),
      block(2, mint(address("c1"), "1", address("aa")), mint(move, "2", move, { objectAddr: move, uri: "" })),
    );
    await scoreStage(store, { number: 7, height: 2 }, [
      [address("a1"), 5],
      [move, 2n ** 64n - 10n],
    ]);
    const response = await createApi({ store }).request(url);
    const [, { get }] = operations.find(([described]) => described === path || described === nft + path) ?? raise(path);
    const content = get.responses[response.status]?.content;
    const type = response.headers.get("content-type") ?? "";
    expect(Object.keys(content ?? {})).toEqual([type]);
    if (response.status !== 200) return;
    const validate = validator(operations.some(([described]) => described === path) ? path : nft + path);
    validate(await response.json());
    expect(validate.errors ?? []).toEqual([]);
  });
});

it("describes every served route, and no other", async () => {
  const api = createApi({ store: await openNew(async () => ":memory:") });
  const served = api.routes
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path.replaceAll(/:(\w+)/g, "{$1}"));
  expect(operations.map(([path]) => path).sort()).toEqual([...served].sort());
  expect(await (await api.request("/openapi.json")).json()).toEqual(openApi);
});

it("lists the parameters of each path", () => {
  for (const [path, { get }] of operations) {
    const named = (get.parameters ?? []).filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect({ path, named }).toEqual({ path, named: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name) });
  }
});

const statusAnswer = {
  version: "",
  commit_hash: "",
  chain_id: "x",
  height: 1,
  left_out: 0,
  pending_uris: 0,
  lag: 0,
  seen_at: null,
};

it("has schemas that refuse invalid answers", () => {
  const validate = validator("/status");
  const { height, ...others } = statusAnswer;
  expect(validate({ ...others, height })).toBe(true);
  expect(validate({ ...others, height: "1" })).toBe(false);
  expect(validate(others)).toBe(false);
});

/** Checks the JSON of a path's answer with status 200. */
function validator(path: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true });
  // OpenAPI keywords outside the schemas; the answers' schemas are part of the document.
  ajv.addVocabulary(["openapi", "info", "paths", "components", "jsonSchemaDialect"]);
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/);
  ajv.addSchema({ $id: "openapi", ...openApi });
  const pointer = ["paths", path, "get", "responses", "200", "content", "application/json", "schema"]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  return ajv.compile({ $ref: `openapi#/${pointer}` });
}

function raise(path: string): never {
  throw new Error(`${path} is not described`);
}
