import { resolve } from "node:path";
import { InputError } from "@vipscore/core/errors";
import type { Io } from "../io.ts";
import { settingVariables } from "./settings.ts";

/** Size of the largest file, in bytes: above any key or URL, and no longer than what the output can be searched for. */
const maxBytes = 4096;

/**
 * Returns the environment with each secret and URL whose variable with `_FILE` behind its name names a file: the file's text
 * without the end of its last line. Other users and programs may see an environment, and an image or a unit shows it.
 *
 * @throws InputError `CONFIG_INVALID` if a variable is set too, `FILE_UNREADABLE`; never containing a part of the text.
 */
export async function withVariableFiles({ env, cwd, signal }: Io): Promise<Io["env"]> {
  const texts: Record<string, string> = {};
  for (const { name, kind } of settingVariables) {
    const variable = `${name}_FILE`;
    const file = env[variable]?.trim() ?? "";
    if (file === "" || (kind !== "secret" && kind !== "url")) continue;
    if ((env[name]?.trim() ?? "") !== "") {
      const metaMessages = ["Unset one of them."];
      throw new InputError(`${name} and ${variable} are both set`, { code: "CONFIG_INVALID", metaMessages });
    }
    const { readFileText } = await import("@vipscore/core");
    const text = await readFileText(resolve(cwd, file), `${file} of ${variable}`, { signal, maxBytes });
    texts[name] = text.replace(/\r?\n$/, "");
  }
  return { ...env, ...texts };
}
