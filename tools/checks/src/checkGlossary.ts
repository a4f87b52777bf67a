import { readFileSync } from "node:fs";
import { findPhrases, readGlossary } from "./prose/glossary.ts";
import { listFiles } from "./sources/listFiles.ts";

const glossary = readGlossary(readFileSync("docs/guidelines.md", "utf8"));
const extensions = [".md", ".ts", ".mjs", ".sol", ".move", ".rs", ".go", ".proto"];
const files = listFiles(".", extensions);
const found = files.flatMap((path) => findPhrases(path, readFileSync(path, "utf8"), glossary));
for (const line of found) console.error(line);
if (found.length > 0) {
  console.error(`${found.length} phrases that the glossary of docs/guidelines.md rules out`);
  process.exit(1);
}
console.log(`${files.length} files have no phrase that the glossary of docs/guidelines.md rules out`);
