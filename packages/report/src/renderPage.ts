import { Markup, markup } from "./markup.ts";
import { styles } from "./styles.ts";

/** Renders a page with the style sheet. `policy`: its policy (CSP), see `pagePolicy`. */
export function renderPage(title: string, policy: string, body: Markup): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(styles)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return page.text;
}
