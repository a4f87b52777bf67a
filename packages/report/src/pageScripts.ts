import { readFileSync } from "node:fs";

/** The scripts that each page contains. */
export interface PageScripts {
  readonly page: string;
  /** Runs in the page's worker. */
  readonly worker: string;
}

/** Reads the scripts that `npm run page` bundles from `page/`; the published package contains them. */
export function readPageScripts(): PageScripts {
  return { page: read("page"), worker: read("worker") };
}

function read(name: string): string {
  try {
    return readFileSync(new URL(`../bundle/${name}.js`, import.meta.url), "utf8");
  } catch (cause) {
    throw new Error("the scripts of the report are not built: run `npm run page -w @vipscore/report`", { cause });
  }
}
