import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import * as Keystore from "ox/Keystore";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { settings, type SettingFacts } from "../src/settings/settings.ts";
import { csvOf, runCli } from "./harness.ts";

const cwd = temporaryFolder();

/** Answers each request with 401 and all that it saw of the URL, as some providers do with a wrong token. */
const echo = createServer((request, response) => {
  const [, basic = ""] = / (.*)/.exec(request.headers.authorization ?? "") ?? [];
  const seen = [request.url ?? "", basic, Buffer.from(basic, "base64").toString()];
  response.writeHead(401).end(`no such key: ${seen.join(" ")} ${"x".repeat(100)} ${seen.map(decoded).join(" ")}`);
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

beforeAll(async () => {
  process.chdir(cwd);
  await writeFile("scores.csv", csvOf(2));
  const [key, options] = Keystore.pbkdf2({ password: "another password", iterations: 1 });
  await writeFile("key.json", JSON.stringify(Keystore.encrypt(`0x${"7a".repeat(32)}`, key, options)));
  await new Promise<void>((resolve) => {
    echo.listen(0, "127.0.0.1", resolve);
  });
});
afterAll(() => echo.close());

const contract = `0x${"c1".repeat(20)}`;
const dead = ["--vm", "evm", "--endpoint", "http://127.0.0.1:9", "--contract", contract];
const ofStage = ["--stage", "1", "--contract", contract];

/** The commands that read each setting with a secret in it; what else they need names a port to which Node never connects. */
const readers: Readonly<Partial<Record<keyof typeof settings, readonly (readonly string[])[]>>> = {
  endpoint: [
    ["status", "--contract", contract],
    ["push", "scores.csv", ...ofStage],
    ["watch", "scores.csv", ...ofStage],
    ["verify", "scores.csv", ...ofStage],
    ["finalize", "--file", "scores.csv", "--yes", ...ofStage],
    ["export", ...ofStage],
    ["report", ...ofStage],
    ["snapshot", ...ofStage],
    ["deploy", "--init-stage", "1"],
    ["doctor", "--contract", contract],
    ["members", "list", "--contract", contract],
    ["owner", "accept", "--contract", contract],
    ["version"],
    ["indexer", "--port", "0"],
  ],
  secondEndpoint: [
    ["verify", "scores.csv", "--stage", "1", ...dead],
    ["push", "scores.csv", "--stage", "1", ...dead],
  ],
  remoteSigner: [
    ["status", ...dead],
    ["deploy", "--init-stage", "1", ...dead.slice(0, 4)],
    ["move", "build"],
  ],
  rollupRestUrl: [["snapshot", "--stage", "1", "--l1-rest-url", "http://127.0.0.1:9", ...dead]],
  l1RestUrl: [
    ["stage"],
    ["push", "scores.csv", "--stage", "1", ...dead],
    ["doctor", ...dead],
    ["snapshot", "--stage", "1", ...dead],
    ["operator", "commission", "0.1", "--bridge-id", "1", "--out", "new.json"],
  ],
  indexerUrl: [
    ["nft", "holders", contract],
    ["nft", "tokens", contract],
  ],
  rpcUrl: [["version"], ["status", "--vm", "wasm", "--contract", contract], ["indexer", "--vm", "move"]],
  evmEndpoint: [["status", "--contract", contract], ["indexer"]],
  moveEndpoint: [["status", "--contract", contract]],
  database: [
    ["indexer", "--api-only", "--port", "0"],
    ["indexer", ...dead.slice(0, 4)],
  ],
  privateKey: [
    ["status", ...dead],
    ["deploy", "--init-stage", "1", ...dead.slice(0, 4)],
  ],
  mnemonic: [["status", ...dead]],
  keystorePassword: [["status", "--keystore", "key.json", ...dead]],
};

/** Where a secret stands in a URL. Each puts a raw character into it that has a meaning in a URL. */
const urlPlaces: Readonly<Record<string, (host: string, secret: string) => string>> = {
  user: (host, secret) => `//${secret}@${host}/`,
  "user before a password": (host, secret) => `//${secret}:x@${host}/`,
  password: (host, secret) => `//someone:${secret}@${host}/`,
  "password alone": (host, secret) => `//:${secret}@${host}/`,
  "password that begins like a port": (host, secret) => `//someone:12${secret.replace(/^\w+/, "")}@${host}/`,
  "user and password in a path": (host, secret) => `//someone:${secret}@${host}/v1/db?x=1#y`,
  path: (host, secret) => `//${host}/${secret}`,
  "path behind another": (host, secret) => `//${host}/v1/${secret}/x`,
  query: (host, secret) => `//${host}/v1?apikey=${secret}`,
  "query without a name": (host, secret) => `//${host}/?${secret}`,
  fragment: (host, secret) => `//${host}/#${secret}`,
  "no scheme": (host, secret) => `someone:${secret}@${host}`,
};
const rawCharacters = ["", "/", "#", "?", "@", "%", ":", "\\", "%2F", "[", "&", "="];

/** Characters of secrets, which no output has four of in a row by chance. */
const part = fc.string({ unit: fc.constantFrom(...Array.from("QXZJKVWqxzjkvw7")), minLength: 8, maxLength: 20 });
const secretText = fc.tuple(part, fc.constantFrom(...rawCharacters), part).map((parts) => parts.join(""));

/** The pieces of a secret that an output has, also of its form in a header. */
function shownPieces(output: string, secret: string): readonly string[] {
  const basic = Buffer.from(`someone:${secret}`).toString("base64").slice(12);
  const plain = [...secret.toLowerCase().matchAll(/(?=([qxzjkvw7]{4}))/g)].map(([, piece = ""]) => piece);
  return [
    ...plain.filter((piece) => output.toLowerCase().includes(piece)),
    ...[basic].filter((piece) => output.includes(piece)),
  ];
}

interface Case {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly config: object;
}

/** The ways to give a setting a value: flag, variables, settings file. */
function carriersOf(name: keyof typeof settings): readonly ((value: string, args: readonly string[]) => Case)[] {
  const { flag, env, alias, inFile }: SettingFacts = settings[name];
  const variables = [env, alias].filter((variable) => variable !== undefined);
  return [
    ...variables.map((variable) => (value: string, args: readonly string[]) => ({
      args,
      env: { [variable]: value },
      config: {},
    })),
    ...(flag === undefined
      ? []
      : [
          (value: string, args: readonly string[]) => ({
            args: [...args, flag.replace(/ .*/, ""), value],
            env: {},
            config: {},
          }),
        ]),
    ...(inFile === undefined
      ? []
      : [(value: string, args: readonly string[]) => ({ args, env: {}, config: { [name]: value } })]),
  ];
}

const names = (Object.keys(settings) as (keyof typeof settings)[]).filter((name) =>
  ["url", "secret"].includes(settings[name].kind),
);

test("each setting that may hold a secret is tried", () => {
  expect(Object.keys(readers).sort()).toEqual([...names].sort());
});

const places = names.flatMap((name) => {
  const all = settings[name].kind === "url" ? Object.entries(urlPlaces) : ([["value", undefined]] as const);
  return carriersOf(name).flatMap((carrier) => all.map(([place, urlOf]) => ({ name, carrier, place, urlOf })));
});

test.each(names)("no piece of a secret in %s is shown, wherever it stands", async (name) => {
  const commands = readers[name] ?? [];
  const { port } = echo.address() as AddressInfo;
  const scheme = name === "database" ? "postgres:" : "http:";
  // The client of the indexer's API tries again where nothing listens.
  const ports = name === "indexerUrl" ? [port] : [9, port];
  const seed = fuzzSeed();
  for (const { carrier, place, urlOf } of places.filter((each) => each.name === name)) {
    for (const command of commands) {
      const tried = fc.asyncProperty(secretText, fc.constantFrom(...ports), fc.boolean(), async (secret, at, json) => {
        const url = urlOf?.(`127.0.0.1:${at}`, secret) ?? secret;
        const { args, env, config } = carrier(url.startsWith("//") ? scheme + url : url, command);
        await writeFile(join(cwd, "vipscore.config.json"), JSON.stringify(config));
        const { status, stdout, stderr } = await runCli([...args, "--debug", ...(json ? ["--json"] : [])], cwd, {
          env,
        });
        const shown = shownPieces(stdout + stderr, secret);
        expect({ place, url, args, shown, stderr: shown.length > 0 && stderr }).toMatchObject({ shown: [] });
        expect({ args, status }).not.toMatchObject({ status: 1 });
      });
      await fc.assert(tried, { seed, numRuns: fuzzRuns(2) });
    }
  }
});

test.each([
  ["a score file", (url: string) => ["push", url, "--stage", "1", ...dead]],
  ["an option without a value", (url: string) => ["status", `--debug=${url}`]],
  ["a mistyped option", (url: string) => ["status", "--endpont", url]],
  ["a file", (url: string) => ["verify-proof", url]],
  ["--contract", (url: string) => ["status", ...dead.slice(0, 4), "--contract", url]],
  ["--database", (url: string) => ["indexer", "--database", url]],
])("no piece of a URL's password in the place of %s is shown", async (_, argsOf) => {
  const password = fc
    .tuple(part, fc.constantFrom("", "/", "#", "?", "@", "%", ":"), part)
    .map((parts) => parts.join(""));
  const tried = fc.asyncProperty(password, fc.constantFrom("https:", "postgres:"), async (secret, scheme) => {
    const { stdout, stderr } = await runCli([...argsOf(`${scheme}//someone:${secret}@127.0.0.1:9/db`), "--debug"], cwd);
    expect({ stderr, shown: shownPieces(stdout + stderr, secret) }).toMatchObject({ shown: [] });
  });
  await fc.assert(tried, { seed: fuzzSeed(), numRuns: fuzzRuns(20) });
});

test("the places of all settings", () => {
  const each = names.map((name) => [name, places.filter((place) => place.name === name).length]);
  console.log(`${names.length} settings, ${places.length} places: ${each.join(" ")}`);
  expect(places.length).toBeGreaterThan(200);
});
