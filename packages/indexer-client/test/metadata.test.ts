import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { until } from "@vipscore/testkit/until";
import { readMetadata, type MetadataFailureReason } from "../src/metadata.ts";
import { failure, sendJson, sendText, type Handler } from "./httpServer.ts";
import { playHosts } from "./playedHosts.ts";

const cid = "QmRjQyxLwvd6D4fGSDx3uPM1nRmBnX4HwEaK5p8fuZFtpp";
const arweaveId = "bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U";
const gateways = { ipfs: ["https://one.example/ipfs", "https://two.example/ipfs/"], arweave: ["https://ar.example"] };

const send =
  (body: unknown): Handler =>
  (_, response) =>
    sendJson(response, body);
const redirect =
  (location: string): Handler =>
  (_, response) =>
    response.writeHead(302, { location }).end();
const sendBytes =
  (body: string | Uint8Array, type = "application/json"): Handler =>
  (_, response) =>
    response.writeHead(200, { "content-type": type }).end(body);

afterEach(() => void vi.useRealTimers());

const hangUp: Handler = (_, response) => response.destroy();

describe("a fault of a server has its reason", () => {
  const silent = () => undefined;
  const headOnly = (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
  };
  const cut = (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
    setImmediate(() => response.destroy());
  };
  const cases: readonly (readonly [string, Handler, MetadataFailureReason])[] = [
    ["no answer", silent, "METADATA_TIMEOUT"],
    ["a body that stops", headOnly, "METADATA_TIMEOUT"],
    ["a body that is cut", cut, "METADATA_UNREACHABLE"],
    ["a redirect to http", redirect("http://good.example/"), "METADATA_REDIRECT"],
    ["a redirect to a file", redirect("file:///etc/passwd"), "METADATA_REDIRECT"],
    ["a redirect to a private address", redirect("https://192.168.0.1/"), "METADATA_PRIVATE_ADDRESS"],
    ["a redirect to a name with a private address", redirect("//inner.example/"), "METADATA_PRIVATE_ADDRESS"],
    ["10 MB", sendBytes(Buffer.alloc(10_000_000, " ")), "METADATA_TOO_LARGE"],
    ["broken JSON", sendBytes(`{"name":`), "METADATA_NOT_JSON"],
    ["a web page", sendBytes("<!doctype html>", "text/html"), "METADATA_NOT_JSON"],
    ["other bytes than UTF-8", sendBytes(Buffer.from(`{"name":"\xfc"}`, "latin1")), "METADATA_NOT_TEXT"],
    ["a list", send([{ name: "a" }]), "METADATA_BAD_FIELDS"],
    ["a text", send("name"), "METADATA_BAD_FIELDS"],
    ["null", send(null), "METADATA_BAD_FIELDS"],
    ["a number as name", send({ name: 7 }), "METADATA_BAD_FIELDS"],
    ["a list as description", send({ description: ["a"] }), "METADATA_BAD_FIELDS"],
    ["status 404", (_, response) => sendText(response, 404), "METADATA_STATUS"],
    ["status 500", (_, response) => sendText(response, 500), "METADATA_STATUS"],
    ["status 204", (_, response) => response.writeHead(204).end(), "METADATA_NOT_JSON"],
  ];
  test.each(cases)("%s", async (_, handler, reason) => {
    const server = await playHosts({ "bad.example": handler, "good.example": send({}), "inner.example": ["10.0.0.1"] });
    const details = expect.stringMatching(/^bad\.example /) as string;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const result = readMetadata("https://bad.example/", { timeoutMs: 2_000 });
    await until("a request", () => server.requests.length === 1);
    if (reason === "METADATA_TIMEOUT") await vi.advanceTimersByTimeAsync(2_000);
    expect(await result).toEqual({ ok: false, reason, details });
    expect(server.requests).toHaveLength(1);
  });

  test("no control sequence of the author is in the details", async () => {
    const result = await readMetadata("data:,\u001b[31mred");
    expect(result).toMatchObject({ ok: false, details: expect.stringMatching(/^[ -~]*red[ -~]*$/) as string });
  });

  test("five redirects are followed, not six", async () => {
    const server = await playHosts({
      "bad.example": (_, response, turn) => redirect(`//bad.example/${turn}`)(_, response, turn),
      "good.example": (_, response, turn) => (turn < 11 ? redirect("?again") : send({ name: "a" }))(_, response, turn),
    });
    expect(await readMetadata("https://bad.example/")).toMatchObject({ reason: "METADATA_REDIRECT" });
    expect(server.requests).toEqual(["/", "/0", "/1", "/2", "/3", "/4"]);
    expect(await readMetadata("https://good.example/")).toMatchObject({ ok: true, metadata: { name: "a" } });
    expect(server.requests).toHaveLength(12);
  });

  test("bytes above the limit are not read, those at the limit are", async () => {
    const body = JSON.stringify({ name: "a".repeat(100) });
    const server = await playHosts({
      "good.example": sendBytes(body),
      "big.example": (_, response) => {
        response.writeHead(200);
        for (let turn = 0; turn < 100; turn += 1) response.write(Buffer.alloc(1_000_000, " "));
      },
    });
    const read = (maxBytes: number) => readMetadata("https://good.example/", { maxBytes });
    expect(await read(body.length)).toMatchObject({ ok: true });
    expect(await read(body.length - 1)).toMatchObject({ reason: "METADATA_TOO_LARGE" });
    expect(await readMetadata("https://big.example/")).toMatchObject({ reason: "METADATA_TOO_LARGE" });
    await expect.poll(server.leftEarly).toBe(1);
  });
});

describe("addresses that are not public are refused before anything is sent", () => {
  test.each([
    ..."0.0.0.0 10.255.0.1 100.64.0.1 127.1 2130706433 0x7f000001 169.254.169.254 172.31.0.1 192.0.0.1".split(" "),
    ..."192.168.0.1 198.19.0.1 203.0.113.7 224.0.0.1 255.255.255.255 localhost".split(" "),
    ..."[::] [::1] [::ffff:127.0.0.1] [::ffff:8.8.8.8] [64:ff9b::a00:1] [fc00::1] [fd00::1] [fe80::1] [fec0::1]".split(
      " ",
    ),
    ..."[ff02::1] [2001::1] [2001:db8::1] [2002:a00:1::1] [5f00::1] [8000::1]".split(" "),
  ])("https://%s", async (host) => {
    // With the real modules.
    expect(await readMetadata(`https://${host}:1/`)).toMatchObject({ ok: false, reason: "METADATA_PRIVATE_ADDRESS" });
  });

  test.each([["10.0.0.1"], ["::ffff:10.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["2606:2800::1", "fd00::1"]])(
    "a name with %s %s",
    async (...addresses) => {
      const server = await playHosts({ "inner.example": addresses });
      const result = await readMetadata("https://inner.example/");
      expect(result).toMatchObject({ ok: false, reason: "METADATA_PRIVATE_ADDRESS" });
      expect(server.requests).toHaveLength(0);
    },
  );

  test.each(["1.1.1.1", "100.63.0.1", "172.32.0.1", "192.167.0.1", "223.255.255.1", "2606:4700::1111", "2400:cb00::1"])(
    "%s is public",
    async (address) => {
      const server = await playHosts({ "good.example": [address] });
      // It arrives at this test's server, which has no answer for it.
      expect(await readMetadata("https://good.example/")).toMatchObject({ reason: "METADATA_UNREACHABLE" });
      expect(server.requests).toHaveLength(1);
    },
  );

  test("a platform that ignores the lookup, or has none of Node's modules, gets nothing", async () => {
    await playHosts({ "good.example": send({}) }, true);
    expect(await readMetadata("https://good.example/")).toMatchObject({ reason: "METADATA_PRIVATE_ADDRESS" });
    // As in Node before 20.16.
    vi.stubGlobal("process", { versions: process.versions });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await readMetadata("https://good.example/")).toMatchObject({ reason: "METADATA_UNREACHABLE" });
  });
});

describe("URIs", () => {
  const document = { name: "a" };
  const base64 = Buffer.from(JSON.stringify(document)).toString("base64");

  test.each([
    [`ipfs://${cid}`, `/ipfs/${cid}`],
    [`ipfs://ipfs/${cid}/1 #2.json`, `/ipfs/${cid}/1%20%232.json`],
    [`IPFS://${cid}/1?x=y`, `/ipfs/${cid}/1?x=y`],
    [`ar://${arweaveId}/1.json`, `/${arweaveId}/1.json`],
    [" https://one.example/ü?x=y#z ", "/%C3%BC?x=y"],
  ])("%s", async (uri, path) => {
    const server = await playHosts({ "one.example": send(document), "ar.example": send(document) });
    const result = await readMetadata({ nft: { uri } }, { gateways });
    expect(result).toMatchObject({ ok: true, metadata: { name: "a", raw: document } });
    expect(server.requests).toEqual([path]);
  });

  test.each([
    [`data:application/json;base64,${base64}`, "a"],
    [`DATA:;base64,${encodeURIComponent(base64)}`, "a"],
    [`data:application/json,${encodeURIComponent('{"name":"ü 🐦"}')}`, "ü 🐦"],
    ['data:application/json;utf8,{"name":"100% #1 ü, 🐦"}', "100% #1 ü, 🐦"],
    ["data:application/json;charset=iso-8859-1,%7B%22name%22:%22%FC%22%7D", "ü"],
  ])("%s", async (uri, name) => {
    expect(await readMetadata(uri)).toMatchObject({ ok: true, metadata: { name } });
  });

  test.each<readonly [string, MetadataFailureReason]>([
    ["", "METADATA_NO_URI"],
    [" ", "METADATA_NO_URI"],
    ["http://one.example/", "METADATA_SCHEME"],
    ["ftp://one.example/", "METADATA_SCHEME"],
    ["javascript:alert(1)", "METADATA_SCHEME"],
    ["1.json", "METADATA_SCHEME"],
    [`/ipfs/${cid}`, "METADATA_SCHEME"],
    ["https://", "METADATA_BAD_URI"],
    ["https://user@one.example/", "METADATA_BAD_URI"],
    ["ipfs://", "METADATA_BAD_URI"],
    ["ipfs://1.json", "METADATA_BAD_URI"],
    [`ipfs://${cid}/../../admin`, "METADATA_BAD_URI"],
    [`ipfs://${cid}/..\\${cid}0`, "METADATA_BAD_URI"],
    [`ipfs://${cid}/%2e%2E/${cid}0`, "METADATA_BAD_URI"],
    ["ar://short", "METADATA_BAD_URI"],
    ["data:application/json", "METADATA_BAD_URI"],
    ["data:;base64,@@", "METADATA_BAD_URI"],
    ["data:;charset=none,{}", "METADATA_BAD_URI"],
    ["data:,%7B%22name%22:%22%FC%22%7D", "METADATA_NOT_TEXT"],
    ["data:,{", "METADATA_NOT_JSON"],
    ["data:,[]", "METADATA_BAD_FIELDS"],
    [`data:,{"name":"${"a".repeat(100)}"}`, "METADATA_TOO_LARGE"],
  ])("%j: %s", async (uri, reason) => {
    const server = await playHosts({ "one.example": send(document), "two.example": send(document) });
    expect(await readMetadata(uri, { gateways, maxBytes: 100 })).toMatchObject({ ok: false, reason });
    expect(server.requests).toHaveLength(0);
  });

  test("an image is the image of its token", async () => {
    const server = await playHosts({ "two.example": sendBytes("GIF89a", "image/gif"), "one.example": hangUp });
    const image = `https://two.example/ipfs/${cid}`;
    const metadata = { image, attributes: [], raw: null };
    expect(await readMetadata(`ipfs://${cid}`, { gateways })).toEqual({ ok: true, metadata });
    expect(server.requests).toHaveLength(2);
    const inline = "data:image/svg+xml;base64,PHN2Zy8+";
    expect(await readMetadata(inline)).toEqual({ ok: true, metadata: { ...metadata, image: inline } });
  });

  test("wrong arguments throw", async () => {
    for (const ipfs of ["http://one.example/", "one.example", "https://one.example/?key=1", "https://a@one.example/"]) {
      expect(await failure(readMetadata("", { gateways: { ipfs: [ipfs] } }))).toBeInstanceOf(TypeError);
    }
    for (const wrong of [0, -1, Number.NaN]) {
      expect(await failure(readMetadata("", { timeoutMs: wrong }))).toBeInstanceOf(TypeError);
      expect(await failure(readMetadata("", { maxBytes: wrong }))).toBeInstanceOf(TypeError);
    }
    expect(await failure(readMetadata({} as { nft: { uri: string } }))).toBeInstanceOf(TypeError);
    expect(await failure(readMetadata("", { gateways: { arweave: [] } }))).toBeInstanceOf(TypeError);
  });
});
