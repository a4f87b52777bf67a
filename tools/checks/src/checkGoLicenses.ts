import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAllowedLicense } from "./allowedLicenses.ts";

/** The folder of the only Go program; nothing that an operator runs in production depends on it. */
const folder = "tools/vipnode";

/** Licenses that a module of the development chain may have. MPL-2.0 only affects those who change its files. */
const allowed = new Set(["MIT", "Apache-2.0", "BSD", "ISC", "MPL-2.0"]);

/**
 * Initia's Move VM is free for non-production use, such as a development chain. Anyone who gets vipnode-wasm must be able to
 * link it with a changed go-ethereum, which our sources allow. Both must stay in tools/vipnode.
 */
const exceptions: Readonly<Record<string, string>> = {
  "github.com/initia-labs/movevm": "BUSL-1.1",
  "github.com/ethereum/go-ethereum": "LGPL-3.0",
};

/** Sentences that identify each license. */
const signs: readonly (readonly [license: string, sign: RegExp])[] = [
  ["BUSL-1.1", /Business Source License 1\.1/],
  ["LGPL-3.0", /GNU LESSER GENERAL PUBLIC LICENSE Version 3/],
  ["MPL-2.0", /Mozilla Public License,? version 2\.0/i],
  ["Apache-2.0", /Apache License,?\s+Version 2\.0/i],
  ["ISC", /Permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose/],
  ["BSD", /Redistribution and use in source and binary forms/],
  ["MIT", /Permission is hereby granted, free of charge/],
];

// A module replaced by a folder of this repository is ours.
const isOurs = '(or .Main (and .Replace (eq .Replace.Version "")))';
const template = `{{with .Module}}{{if not ${isOurs}}}{{.Path}}\t{{.Dir}}{{end}}{{end}}`;
const listed = execFileSync("go", ["list", "-deps", "-f", template, "./cmd/..."], { cwd: folder, encoding: "utf8" });
const modules = new Map(
  listed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t") as [string, string]),
);
const refused = [...modules].flatMap(([path, directory]) => {
  const license = licenseOf(directory);
  if (license === undefined) return [`${path}: no known license`];
  const isFine = license === exceptions[path] || allowed.has(license) || isAllowedLicense(license);
  return isFine ? [] : [`${path}: ${license}`];
});
for (const line of refused) console.error(line);
if (refused.length > 0) {
  console.error(`${refused.length} Go modules have a license that is not allowed`);
  process.exit(1);
}
console.log(`licenses of ${modules.size} Go modules are allowed, ${Object.keys(exceptions).join(", ")} by name`);

/** Identifies the license from the text of the module's file or its sources' headers; undefined if it is missing or unknown. */
function licenseOf(directory: string): string | undefined {
  const entries = readdirSync(directory, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /^(licen[cs]e|copying)/i.test(entry.name));
  const texts = files.map(({ name }) => readFileSync(join(directory, name), "utf8"));
  for (const text of texts) {
    const found = signs.find(([, sign]) => sign.test(text.replace(/\s+/g, " ")));
    if (found !== undefined) return found[0];
  }
  return texts.length === 0 ? headerLicenseOf(directory) : undefined;
}

/** The license expression that all Go files of a module without a license file name in their headers. */
function headerLicenseOf(directory: string): string | undefined {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".go"));
  const named = files.map((name) => {
    const [, expression] =
      /^\/\/ SPDX-License-Identifier: (.+)$/m.exec(readFileSync(join(directory, name), "utf8")) ?? [];
    return expression;
  });
  return new Set(named).size === 1 ? named[0] : undefined;
}
