import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { runProgram } from "../runProgram.ts";
import { buildPrograms, programNames } from "./buildPrograms.ts";
import { checkBinaries } from "./checkBinaries.ts";
import { licenseText, listGoModules } from "./licenseText.ts";
import type { PrebuiltPlatform } from "./prebuiltPlatform.ts";

const sources = "tools/vipnode";

/**
 * Writes the package with the local Move and Wasm chains for this platform into a folder, from the checkout in the current
 * folder. It has the version of `@vipscore/localnet`, which uses it.
 */
export async function writePrebuiltPackage(folder: string, platform: PrebuiltPlatform): Promise<void> {
  const modules = await listGoModules(sources);
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const libraries = await buildPrograms(sources, bin, platform, modules);
  const folders = await runProgram("go", ["env", "GOROOT", "GOMODCACHE", "GOCACHE"], sources);
  const [goFolder = "", ...caches] = folders.trim().split("\n");
  const glibc = checkBinaries(
    bin,
    [...programNames, ...libraries],
    [goFolder, ...caches, `${homedir()}/`, `${resolve(".")}/`],
  );
  const { version } = JSON.parse(readFileSync("packages/localnet/package.json", "utf8")) as {
    readonly version: string;
  };
  const { GITHUB_REPOSITORY: repository } = process.env;
  const manifest = {
    name: platform.name,
    version,
    description:
      "Local development chains with the VMs of Initia's Move and CosmWasm rollups, built for one platform; contains movevm under BUSL-1.1: for development only",
    license: "SEE LICENSE IN LICENSE.md",
    // npm accepts a provenance statement only from the repository that the package names.
    ...(repository && {
      repository: { type: "git", url: `git+https://github.com/${repository}.git`, directory: sources },
    }),
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.os === "linux" && { libc: ["glibc"] }),
    // Programs cannot be started from a zip archive, which is how Yarn keeps packages.
    preferUnplugged: true,
    files: ["bin", "LICENSE.md"],
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, "LICENSE.md"), licenseText(readFileSync("LICENSE", "utf8").trim(), goFolder, modules));
  writeFileSync(join(folder, "README.md"), readme(platform, glibc));
}

function readme({ name, os, cpu }: PrebuiltPlatform, glibc: string | undefined): string {
  const system = glibc === undefined ? "" : ` with glibc ${glibc} or newer`;
  return `# ${name}

\`vipnode-move\` and \`vipnode-wasm\` for ${os} ${cpu}${system}: one-validator chains with the virtual machines of Initia's
Move and CosmWasm rollups, for development and tests. \`@vipscore/localnet\` of the same version starts them; without this
package it needs a checkout, Go and a C compiler.

**For development only.** \`vipnode-move\` contains movevm, which is under the Business Source License 1.1: no production use.
LICENSE.md has its text and those of everything else that the programs contain.

\`vipnode-move build\`, \`test\` and \`coverage\` find Move's standard library beside the program.
`;
}
