import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the one Go program; nothing that an operator runs in production depends on it. */
const folder = "tools/vipnode";

/** What a module of the development chain may have. MPL-2.0 asks for something only of those who change its files. */
const allowed = new Set(["MIT", "Apache-2.0", "BSD", "ISC", "MPL-2.0"]);

/**
 * The one exception: Initia's Move VM is free for any non-production use, and a development chain is none. It must stay
 * in tools/vipnode.
 */
const exceptions: Readonly<Record<string, string>> = { "github.com/initia-labs/movevm": "BUSL-1.1" };

/** Sentences by which each licence is known. */
const signs: readonly (readonly [licence: string, sign: RegExp])[] = [
  ["BUSL-1.1", /Business Source License 1\.1/],
  ["MPL-2.0", /Mozilla Public License,? version 2\.0/i],
  ["Apache-2.0", /Apache License,?\s+Version 2\.0/i],
  ["ISC", /Permission to use, copy, modify, and(?:\/or)? distribute this software for any purpose/],
  ["BSD", /Redistribution and use in source and binary forms/],
  ["MIT", /Permission is hereby granted, free of charge/],
];

// A module that a folder of ours takes the place of is ours.
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
  const licence = licenceOf(directory);
  const isFine = licence === exceptions[path] || (licence !== undefined && allowed.has(licence));
  return isFine ? [] : [`${path}: ${licence ?? "no licence that is known here"}`];
});
for (const line of refused) console.error(line);
if (refused.length > 0) {
  console.error(`${refused.length} Go modules have a licence that is not allowed`);
  process.exit(1);
}
console.log(`licences of ${modules.size} Go modules are allowed, ${Object.keys(exceptions).join(", ")} by name`);

/** The licence by the text of the module's own file; undefined where it has none, or one that is not known here. */
function licenceOf(directory: string): string | undefined {
  const entries = readdirSync(directory, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /^(licen[cs]e|copying)/i.test(entry.name));
  const texts = files.map(({ name }) => readFileSync(join(directory, name), "utf8"));
  for (const text of texts) {
    const found = signs.find(([, sign]) => sign.test(text.replace(/\s+/g, " ")));
    if (found !== undefined) return found[0];
  }
  return undefined;
}
