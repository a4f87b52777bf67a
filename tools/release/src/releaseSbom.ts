import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PackedPackage } from "./packedRelease.ts";
import { runProgram } from "./runProgram.ts";

/** The part of a CycloneDX file that names files of this machine. */
interface Sbom {
  readonly metadata: { readonly component: { name: string } };
  readonly components: readonly { readonly externalReferences: readonly { url: string }[] }[];
}

/**
 * Returns an SBOM (CycloneDX) of a release: its packages and what a user installs with them, not what the workspace holds. Each
 * of the packages refers to its tarball by the name in `folder`, where the SBOM lies too.
 *
 * @param prebuilt Packages for one platform each; those of other platforms cannot be installed here.
 */
export async function releaseSbom(
  folder: string,
  packages: readonly PackedPackage[],
  prebuilt: readonly PackedPackage[],
): Promise<string> {
  const fileOf = ({ name, file }: PackedPackage) => [name, `file:${join(folder, file)}`] as const;
  const project = {
    name: "vipscore-release",
    version: packages[0]?.version,
    private: true,
    dependencies: Object.fromEntries(packages.map(fileOf)),
    optionalDependencies: Object.fromEntries(prebuilt.map(fileOf)),
  };
  const empty = mkdtempSync(join(tmpdir(), "vipscore-sbom-"));
  try {
    writeFileSync(join(empty, "package.json"), JSON.stringify(project));
    await runProgram("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], empty);
    const sbom = JSON.parse(
      await runProgram("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], empty),
    ) as Sbom;
    // npm names the project after its folder.
    sbom.metadata.component.name = project.name;
    const names = new Map([...packages, ...prebuilt].map(({ file }) => [`file:${join(folder, file)}`, file]));
    for (const reference of sbom.components.flatMap(({ externalReferences }) => externalReferences)) {
      reference.url = names.get(reference.url) ?? reference.url;
    }
    return `${JSON.stringify(sbom, null, 2)}\n`;
  } finally {
    rmSync(empty, { recursive: true });
  }
}
