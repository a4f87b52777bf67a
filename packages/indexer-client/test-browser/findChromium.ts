import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The path of the system's Chromium.
 *
 * @throws Error saying how to install it where there is none.
 */
export function findChromium(): string {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      if (isProgram(path)) return path;
    }
  }
  throw new Error(
    `no Chromium on PATH (${names.join(", ")}): on Debian, apt-get install --no-install-recommends chromium`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
