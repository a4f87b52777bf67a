import type { ApiRequest } from "../test/conformance/apiRules.ts";
import type { Answer } from "../test/conformance/rules/answer.ts";
import type { Send } from "../test/conformance/runRequests.ts";

/** A fault that servers could have. */
export interface PlantedFault {
  readonly what: string;
  /** Stands between a client and a correct server, and makes the server faulty. */
  readonly plant: (send: Send) => Send;
}

interface PageBody {
  readonly tokens?: Token[];
  readonly collections?: Collection[];
  readonly pagination: { next_key: string | null; previous_key: string | null; total: string };
}

type Token = { owner: string; timestamp: string; readonly nft: { readonly token_id: string } };

type Collection = { readonly collection: { readonly name: string; readonly nfts: { length: number } } };

/** Faults of servers, one at least for each rule. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    what: "the last row of a page is lost",
    plant: alterPages(({ tokens }) => void tokens?.pop()),
  },
  {
    what: "a key after the last page",
    plant: alterPages(({ pagination, tokens }) => {
      if (tokens?.length) pagination.next_key ??= "MTAw";
    }),
  },
  {
    what: "ids sort as numbers",
    plant: alterPages(({ tokens }) => void tokens?.sort((a, b) => Number(b.nft.token_id) - Number(a.nft.token_id))),
  },
  {
    what: "the total counts only the page",
    plant: alterPages(({ pagination, tokens }) => {
      if (pagination.total !== "0" && tokens) pagination.total = String(tokens.length);
    }),
  },
  {
    what: "owners in hex",
    plant: alterPages(({ tokens }) => tokens?.forEach((token) => void (token.owner = `0x${"ab".repeat(20)}`))),
  },
  {
    what: "a limit over 1000 is lowered",
    plant: (send) => (request) => {
      const limit = Number(new URLSearchParams(request.query).get("pagination.limit"));
      return send(limit > 1000 ? withParameter(request, "pagination.limit", "1000") : request);
    },
  },
  {
    what: "the offset overrides the key",
    plant: (send) => (request) => {
      const isBoth = /pagination\.offset=\d/.test(request.query);
      return send(isBoth ? without(request, "pagination.key") : request);
    },
  },
  {
    what: "reverse=no is false",
    plant: (send) => (request) => {
      const isNo = new URLSearchParams(request.query).get("pagination.reverse") === "no";
      return send(isNo ? withParameter(request, "pagination.reverse", "false") : request);
    },
  },
  {
    what: "the order is ignored",
    plant: (send) => (request) => send(withParameter(request, "order_by", "token_id")),
  },
  {
    what: "an unknown account is not found",
    plant: (send) => async (request) => {
      const answer = await send(request);
      const isEmpty = request.path.includes("by_account") && answer.body.startsWith('{"tokens":[]');
      return isEmpty ? { status: 404, contentType: "text/plain", body: "account not found" } : answer;
    },
  },
  {
    what: "paths are decoded",
    plant: (send) => (request) => send({ ...request, path: request.path.replaceAll("%30", "0") }),
  },
  {
    what: "errors are JSON",
    plant: (send) => async (request) => {
      const answer = await send(request);
      if (answer.status !== 400) return answer;
      return { ...answer, contentType: "application/json", body: JSON.stringify({ message: answer.body }) };
    },
  },
  {
    what: "collections count burned tokens",
    plant: alterPages(({ collections }) =>
      collections?.forEach(({ collection }) => void (collection.nfts.length += 1)),
    ),
  },
  {
    what: "names are found only in their exact case",
    plant: (send) => async (request) => {
      const answer = await send(request);
      const [, name] = /\/by_name\/([A-Za-z]+)$/.exec(request.path) ?? [];
      if (name === undefined) return answer;
      return alterPage(answer, (page) => {
        const found = page.collections?.filter(({ collection }) => collection.name.includes(name)) ?? [];
        page.collections?.splice(0, page.collections.length, ...found);
      });
    },
  },
];

function alterPages(alter: (page: PageBody) => void): PlantedFault["plant"] {
  return (send) => async (request) => alterPage(await send(request), alter);
}

function alterPage(answer: Answer, alter: (page: PageBody) => void): Answer {
  const page = readPage(answer);
  if (!page) return answer;
  alter(page);
  return { ...answer, body: JSON.stringify(page) };
}

function readPage({ status, body }: Answer): PageBody | undefined {
  const json = status === 200 ? (JSON.parse(body) as Partial<PageBody>) : {};
  return json.pagination ? (json as PageBody) : undefined;
}

function without(request: ApiRequest, name: string): ApiRequest {
  const query = new URLSearchParams(request.query);
  query.delete(name);
  return { ...request, query: String(query) };
}

function withParameter(request: ApiRequest, name: string, value: string): ApiRequest {
  const query = new URLSearchParams(request.query);
  query.set(name, value);
  return { ...request, query: String(query) };
}
