import { expect, test } from "vitest";
import { nodeEnvironment } from "./nodeEnvironment.ts";

test.each([
  "PRIVATE_KEY",
  "MNEMONIC",
  "KEYSTORE_PASSWORD",
  "DATABASE_URL",
  "OPERATOR_MNEMONIC",
  "private_key",
  "DEPLOYER_PK_PASSPHRASE",
  "AWS_SECRET_ACCESS_KEY",
  "NPM_TOKEN",
  "GITHUB_TOKEN",
  "APIKEY",
  "POSTGRES_PASSWORD",
  "PGPASSWORD",
  "PGPASSFILE",
  "MY_DB_URL",
  "REDIS_URL",
])("%s is left out", (name) => {
  expect(nodeEnvironment({ [name]: "x", PATH: "/bin" })).toEqual({ PATH: "/bin" });
});

test("a URL with a password is removed, under any name, unless downloads need it", () => {
  const url = "https://someone:hunter2@example.org/x";
  expect(nodeEnvironment({ UPSTREAM: url, JSON_RPC_URL: url, HTTPS_PROXY: url, GOPROXY: url })).toEqual({
    HTTPS_PROXY: url,
    GOPROXY: url,
  });
});

test("keeps what a compiler, a node and npm need", () => {
  const env = {
    PATH: "/bin",
    HOME: "/root",
    TMPDIR: "/tmp",
    GOPATH: "/go",
    GOCACHE: "/cache",
    GOFLAGS: "-p=2",
    GOAUTH: "netrc",
    CC: "gcc",
    CGO_CFLAGS: "-O2",
    LANG: "C.UTF-8",
    SSL_CERT_FILE: "/cert.pem",
    XDG_CACHE_HOME: "/cache",
    JSON_RPC_URL: "http://127.0.0.1:8545",
    NPM_CONFIG_USERCONFIG: "/home/someone/.npmrc",
    npm_config_registry: "https://registry.example.org/",
    npm_config_cache: "/cache",
    MONKEY: "yes",
    KEYBOARD: "us",
    STAGE: "12",
  };
  expect(nodeEnvironment(env)).toEqual(env);
});
