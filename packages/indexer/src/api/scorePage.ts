import { readFileSync } from "node:fs";
import { Markup, markup, pagePolicy, styles } from "@vipscore/report";

/** The page at `/`, and the header with its policy. */
export interface ScorePage {
  readonly html: string;
  readonly policy: string;
}

/**
 * Makes the page at `/`: the leaderboard, and a search. Its policy allows its own script and style only, and requests to this
 * server.
 *
 * @throws Error if its script is not built.
 */
export function scorePage(): ScorePage {
  const script = readScript();
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scores</title>
<style>${new Markup(styles)}</style>
</head>
<body>
<header>
<h1>Scores</h1>
<p id="status" role="status">Reading …</p>
<p id="contract" class="quiet"></p>
</header>
<main>
<form><label for="stages">Stage</label><select id="stages"></select></form>
<div id="facts"></div>
<section id="find">
<h2>Find an account</h2>
<form id="search"><label for="address">Address, 0x… or init1…</label>
<input id="address" autocomplete="off" spellcheck="false"><button>Find</button></form>
<div id="result" aria-live="polite"></div>
</section>
<section>
<h2 id="board">Leaderboard</h2>
<p id="where" class="quiet"></p>
<table aria-labelledby="board">
<thead><tr><th scope="col">Rank</th><th scope="col" class="address">Account</th><th scope="col">Score</th><th scope="col" class="minor">Share</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<p><button id="more" hidden>Show more</button></p>
</section>
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return { html: page.text, policy: pagePolicy(script, { "connect-src": "'self'", "frame-ancestors": "'none'" }) };
}

function readScript(): string {
  try {
    return readFileSync(new URL("../../bundle/page.js", import.meta.url), "utf8");
  } catch (cause) {
    throw new Error("the script of the page is not built: run `npm run page -w @vipscore/indexer`", { cause });
  }
}
