import { dirname, join } from "node:path/posix";
import type { PackedFile } from "./packedFile.ts";

/** Paths that any package may consist of; `files` in its package.json chooses from these. */
const allowedPaths: readonly RegExp[] = [
  /^(package\.json|README\.md|LICENSE)$/,
  /^bin\/[\w-]+\.js$/,
  /^dist\/[\w/]+(\.generated)?(\.js|\.d\.ts)(\.map)?$/,
  /^src\/[\w/]+(\.generated)?\.ts$/,
  // Compiled contracts, with their digests.
  /^artifacts\/\w+\.(json|mv|wasm)(\.sha256)?$/,
  // The code of a report's page.
  /^bundle\/\w+\.js$/,
  // The sources of contracts, with examples that build on them.
  /^SPEC\.md$/,
  /^(src|examples\/\w+\/(src|tests))\/[\w/]+\.rs$/,
  /^((src|examples\/contracts)\/\w+\.sol|examples\/test\/\w+\.t\.sol|(arena\/)?sources\/\w+\.move)$/,
  /^((examples\/\w+\/)?Cargo|(arena\/)?Move)\.toml$/,
  /^fork\/\w+\.patch$/,
  // The examples as projects, and the modules for Hardhat Ignition.
  /^(examples|examples\/arena|arena)\/package\.json$/,
  /^examples\/(hardhat\.config\.ts|ignition\/parameters\.json)$/,
  /^(examples\/)?ignition\/(modules\/)?\w+\.js$/,
  // The Move scripts that conformance compiles.
  /^move\/(Move\.toml|\w+\.move)$/,
  /^schema\/[\w-]+\.json$/,
  // Policies that `vipscore score new` copies.
  /^examples\/[\w./-]+\.(toml|sql|csv)$/,
];

/** Paths that the command has in addition: the others are installed with the versions that their users choose. */
const commandPaths: readonly RegExp[] = [...allowedPaths, /^npm-shrinkwrap\.json$/];

/** Paths of a package of prebuilt local chains: the programs, the libraries of their VMs, and the licenses of both. */
const prebuiltPaths: readonly RegExp[] = [
  /^(package\.json|README\.md|LICENSE\.md)$/,
  /^bin\/vipnode-(move|wasm)$/,
  /^bin\/lib(compiler|movevm|wasmvm)(\.(x86_64|aarch64)\.so|\.dylib)$/,
];

/** Paths of machines that build packages, in texts. */
const machinePath = /(?<![\w.-])(?:file:\/\/)?\/(?:home|root|tmp|Users|var\/folders|work|__w|runner)\/[\w.-]+/;

/** The release that was packed, and folders of the machine that packed it. */
export interface PackedOptions {
  /** Name of the package. */
  readonly name: string;
  /** Version of the release: what the packages of `names` depend on each other by. */
  readonly version: string;
  /** Names of all packages of the release. */
  readonly names: readonly string[];
  /** Folders of this machine that no file may name; others are known by their first part. */
  readonly folders: readonly string[];
}

/** Returns what does not belong in a package, or is missing from it, as `path  reason`. */
export function packedFaults(files: readonly PackedFile[], options: PackedOptions): readonly string[] {
  const paths = new Set(files.map(({ path }) => path));
  const { allowed, required } = contentsOf(options.name);
  const missing = required.filter((path) => !paths.has(path));
  return [
    ...missing.map((path) => `${path}  is missing`),
    ...files.flatMap((file) => {
      const reasons = [
        ...pathFaults(file.path, paths, allowed),
        ...mapFaults(file, paths),
        ...contentFaults(file, options),
        ...(file.path === "package.json" ? manifestFaults(file, options) : []),
      ];
      return reasons.map((reason) => `${file.path}  ${reason}`);
    }),
  ];
}

function contentsOf(name: string): { readonly allowed: readonly RegExp[]; readonly required: readonly string[] } {
  const manifests = ["package.json", "README.md"];
  if (name.startsWith("@vipscore/vipnode-")) {
    return { allowed: prebuiltPaths, required: [...manifests, "LICENSE.md", "bin/vipnode-move", "bin/vipnode-wasm"] };
  }
  if (name === "@vipscore/cli") {
    return { allowed: commandPaths, required: [...manifests, "LICENSE", "npm-shrinkwrap.json"] };
  }
  return { allowed: allowedPaths, required: [...manifests, "LICENSE"] };
}

function pathFaults(path: string, paths: ReadonlySet<string>, allowed: readonly RegExp[]): readonly string[] {
  if (!allowed.some((pattern) => pattern.test(path))) return ["is not a kind of file that packages have"];
  if (/(^|\/)(test(?!\/\w+\.t\.sol$)|spec|testkit)\//.test(path)) return ["is part of the tests"];
  const built = path.replace(/^src\/(.*)\.ts$/, "dist/$1.js");
  if (!paths.has(built)) return [`was not built to ${built}`];
  // A build does not remove what an earlier one has written.
  const source = path.replace(/^dist\/(.*?)(\.js|\.d\.ts)(\.map)?$/, "src/$1.ts");
  return paths.has(source) ? [] : [`was not built from ${source}`];
}

function mapFaults({ path, content }: PackedFile, paths: ReadonlySet<string>): readonly string[] {
  if (!path.endsWith(".map")) return [];
  const { sources } = JSON.parse(content.toString()) as { readonly sources: readonly string[] };
  const absent = sources.filter((source) => !paths.has(join(dirname(path), source)));
  return absent.map((source) => `leads to ${source}, which is not packed`);
}

function contentFaults({ content }: PackedFile, { folders }: PackedOptions): readonly string[] {
  const text = content.toString("latin1");
  const named =
    folders.find((folder) => text.includes(folder)) ?? (content.includes(0) ? [] : machinePath.exec(text))?.[0];
  return named === undefined ? [] : [`names ${named}`];
}

function manifestFaults({ content }: PackedFile, { version, names }: PackedOptions): readonly string[] {
  const manifest = JSON.parse(content.toString()) as {
    readonly version: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const own = Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(([name]) =>
    name.startsWith("@vipscore/"),
  );
  return [
    ...(manifest.version === version ? [] : [`has version ${manifest.version}`]),
    ...own.filter(([name]) => !names.includes(name)).map(([name]) => `needs ${name}, which is not released`),
    ...own.filter(([, wanted]) => wanted !== version).map(([name, wanted]) => `needs ${name}@${wanted}`),
  ];
}
