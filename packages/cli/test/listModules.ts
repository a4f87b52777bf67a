import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

// Imported with --import before the command. Writes the URLs of all modules that the process loads to the file LOADED_MODULES.
const file = process.env["LOADED_MODULES"];
if (file === undefined) throw new Error("set LOADED_MODULES to the file to write");

const urls = new Set<string>();
registerHooks({
  load: (url, context, nextLoad) => {
    urls.add(url);
    return nextLoad(url, context);
  },
});
process.once("exit", () => writeFileSync(file, [...urls].join("\n")));
