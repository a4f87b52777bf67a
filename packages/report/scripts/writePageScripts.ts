import { writeFile } from "node:fs/promises";
import { bundlePage } from "./bundlePage.ts";

await writeFile(new URL("../src/pageScripts.generated.ts", import.meta.url), await bundlePage());
