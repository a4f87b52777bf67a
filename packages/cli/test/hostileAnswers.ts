import type { ScriptedAnswer } from "@vipscore/testkit/scriptedServer";

/** Clears the screen, sets the title, sets a color in C1, returns the cursor, and contains commands of CI systems. */
const steering = "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\n::error::owned\n##[error]owned";

/** A JSON-RPC error object on EVM and Wasm, an error answer of the gateway on Move. */
function refused(error: { readonly code: unknown; readonly message?: unknown }, status = 200): Answering {
  return (id) => ({ status, body: { jsonrpc: "2.0", id, error, ...error, details: [] } });
}

function result(value: unknown): Answering {
  return (id) => ({ body: { jsonrpc: "2.0", id, result: value } });
}

function page(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answering {
  return () => ({ status, body: text, headers });
}

/** An answer whose result, fields, or error's data are nested deeper than `JSON.stringify` takes. */
function nested(id: unknown, field: "result" | "error"): string {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const value = field === "result" ? deep : `{"code":-32000,"message":"no","data":${deep}}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? 1)},"${field}":${value},"height":${deep},"default_node_info":${deep}}`;
}

/** Answers a request; `id` is the JSON-RPC call's, undefined over REST. */
export type Answering = (id: unknown) => ScriptedAnswer;

/** Answers of servers that are not nodes, are broken, or are malicious. `secret` is part of the server's URL. */
export function hostileAnswers(secret: string): readonly (readonly [title: string, answer: Answering])[] {
  return [
    ["a web page", page(200, `<!doctype html><title>${secret}</title>`)],
    ["nothing", page(200, "")],
    ["no content", page(204, "")],
    ["plain text", page(200, `pong ${steering}`)],
    ["half an answer", page(200, '{"jsonrpc":"2.0","id":1,"resu')],
    ["a list", page(200, "[]")],
    ["null", page(200, "null")],
    ["a number", page(200, "1e999")],
    ["a text", page(200, JSON.stringify(steering + secret))],
    ["an empty object", page(200, "{}")],
    ["100,000 open brackets", page(200, "[".repeat(100_000))],
    ["100,000 nested lists", page(200, `{"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)],
    ["100,000 nested lists as the result", (id) => ({ body: nested(id, "result") })],
    ["100,000 nested lists as the data of an error", (id) => ({ body: nested(id, "error") })],
    ["bytes that are not UTF-8", page(200, "\u{FFFD}".repeat(100))],
    ["the answer to another request", () => ({ body: { jsonrpc: "2.0", id: 77, result: "0x1" } })],
    ["no result", result(null)],
    ["a number as the result", result(5)],
    ["a text that steers a terminal as the result", result(steering)],
    ["an object of other fields as the result", result({ [steering]: secret })],
    ["a key that changes prototypes", page(200, '{"__proto__":{"result":"0x1"},"jsonrpc":"2.0","id":1}')],
    ["more than the largest answer", page(200, " ".repeat(68_000_000))],
    ["a refusal that steers a terminal", refused({ code: -32_000, message: steering }, 400)],
    ["a refusal with the URL's secret", refused({ code: -32_000, message: `bad token ${secret}` }, 400)],
    ["a refusal whose text is a number", refused({ code: -32_000, message: 7 }, 400)],
    ["a refusal of 100,000 characters", refused({ code: -32_000, message: "x".repeat(100_000) }, 400)],
    ["an internal error", refused({ code: -32_603, message: "internal error" }, 500)],
    ["401 with the URL's secret", page(401, `token ${secret} is not valid`)],
    ["403", page(403, steering)],
    ["404", page(404, `<h1>not found: /${secret}</h1>`)],
    ["405", page(405, "method not allowed")],
    ["429 that asks for an hour", page(429, "slow down", { "retry-after": "3600" })],
    ["500 that steers a terminal", page(500, steering)],
    ["503", page(503, "maintenance", { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" })],
    ["a redirect to another host", page(302, "", { location: "http://127.0.0.2:9/" })],
    ["a redirect to a file", page(301, "", { location: "file:///etc/hostname" })],
    ["a redirect in a circle", page(307, "", { location: "/again" })],
    ["a body that is not compressed as its header says", page(200, "{}", { "content-encoding": "gzip" })],
    ["a cut connection", () => ({ instead: "cut" })],
    ["silence", () => ({ instead: "silence" })],
  ];
}
