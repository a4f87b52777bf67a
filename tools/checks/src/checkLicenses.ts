import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Checks the licenses of all that an operator's installation may contain, of the crates of the CosmWasm contract, and of the Go
 * modules of the local chains, on which nothing that an operator runs in production depends. Exits with status 1 if any has
 * another.
 */
const installed = new Set(
  "MIT Apache-2.0 BSD-2-Clause BSD-3-Clause ISC 0BSD CC0-1.0 Unlicense Zlib Unicode-3.0".split(" "),
);

/** Licenses that a module of the development chain may also have. MPL-2.0 only affects those who change its files. */
const developed = new Set([...installed, "BSD", "MPL-2.0"]);

/**
 * Initia's Move VM is free for non-production use, such as a development chain. Anyone who gets vipnode-wasm must be able to
 * link it with a changed go-ethereum, which our sources allow. Both must stay in tools/vipnode.
 */
const exceptions: Readonly<Record<string, string>> = {
  "github.com/initia-labs/movevm": "BUSL-1.1",
  "github.com/ethereum/go-ethereum": "LGPL-3.0",
};

/** Sentences that identify the license of a Go module. */
const signs: readonly (readonly [license: string, sign: RegExp])[] = [
  ["BUSL-1.1", /Business Source License 1\.1/],
  ["LGPL-3.0", /GNU LESSER GENERAL PUBLIC LICENSE Version 3/],
  ["MPL-2.0", /Mozilla Public License,? version 2\.0/i],
  ["Apache-2.0", /Apache License,?\s+Version 2\.0/i],
  ["ISC", /Permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose/],
  ["BSD", /Redistribution and use in source and binary forms/],
  ["MIT", /Permission is hereby granted, free of charge/],
];

type Licensed = readonly [name: string, license: string | undefined];

report("packages", listPackages(), isAllowed);
// The locks share most crates.
report("crates", [...new Map(["contracts/wasm", "contracts/wasm/tests/newest"].flatMap(listCrates))], isAllowed);
report("Go modules", listGoModules(), (license, name) =>
  [license === exceptions[name], developed.has(license), isAllowed(license)].includes(true),
);

function report(kind: string, found: readonly Licensed[], isFine: (license: string, name: string) => boolean): void {
  const refused = found.filter(([name, license]) => license === undefined || !isFine(license, name));
  for (const [name, license] of refused) console.error(`${name}: ${license ?? "no known license"}`);
  if (refused.length > 0) process.exitCode = 1;
  console.log(`${refused.length} of ${found.length} ${kind} have a license that is not allowed`);
}

/**
 * True if a license expression is allowed. Understands identifiers, `OR` and the older `/`, `AND`, `WITH LLVM-exception` and one
 * level of brackets: (A OR B) AND C.
 */
function isAllowed(expression: string): boolean {
  const bare = expression.replace(/ WITH LLVM-exception/g, "").replace(/\//g, " OR ");
  const alternatives = bare.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => String(isAllowed(inner))).split(" OR ");
  return alternatives.some((each) => each.split(" AND ").every((id) => id === "true" || installed.has(id.trim())));
}

function listPackages(): readonly Licensed[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, { license?: string; dev?: boolean; link?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith("node_modules/") && dev !== true && link !== true)
    .map(([path, { license }]) => [path.slice("node_modules/".length), license]);
}

/** Lists the crates of a lock file. */
function listCrates(folder: string): readonly Licensed[] {
  const manifest = ["--manifest-path", `${folder}/Cargo.toml`];
  const { packages } = JSON.parse(
    run("cargo", ["metadata", "--format-version", "1", "--locked", ...manifest], "."),
  ) as {
    readonly packages: readonly { name: string; version: string; license: string | null; source: string | null }[];
  };
  // A crate of this repository has no source.
  return packages
    .filter(({ source }) => source !== null)
    .map(({ name, version, license }) => [`${name} ${version}`, license ?? undefined]);
}

function listGoModules(): readonly Licensed[] {
  // A module replaced by a folder of this repository is ours.
  const isOurs = '(or .Main (and .Replace (eq .Replace.Version "")))';
  const template = `{{with .Module}}{{if not ${isOurs}}}{{.Path}}\t{{.Dir}}{{end}}{{end}}`;
  const listed = run("go", ["list", "-deps", "-f", template, "./cmd/..."], "tools/vipnode").split("\n");
  const modules = new Map(listed.filter(Boolean).map((line) => line.split("\t") as [string, string]));
  return [...modules].map(([path, folder]) => [path, licenseOf(folder)]);
}

/** Identifies the license from the text of a module's file, or the headers of all its sources; undefined if it is unknown. */
function licenseOf(folder: string): string | undefined {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const entries = readdirSync(folder, { withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying)/i.test(entry.name))
    .map(({ name }) => read(name).replace(/\s+/g, " "));
  if (texts.length > 0) return signs.find(([, sign]) => texts.some((text) => sign.test(text)))?.[0];
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".go"));
  const named = new Set(sources.map((name) => /^\/\/ SPDX-License-Identifier: (.+)$/m.exec(read(name))?.[1]));
  return named.size === 1 ? [...named][0] : undefined;
}

function run(program: string, args: readonly string[], cwd: string): string {
  const stdio = ["ignore", "pipe", "inherit"] as const;
  return execFileSync(program, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 26, stdio: [...stdio] });
}
