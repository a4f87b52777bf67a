import { join } from "node:path";
import { Application, Converter, ReflectionKind, type Context, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";
import { publicPackages } from "@vipscore/testkit/publicPackages";
import { root } from "./repositoryLinks.ts";
import { apiPages } from "./sidebar.ts";

/**
 * Writes a page of Markdown for each entry of the public packages, from the types and the comments of their sources. Fails on
 * what TypeDoc warns about, such as a link that leads nowhere.
 */
const entries = publicPackages(root).flatMap((each) => each.entries);
const names = new Map(entries.map(({ specifier, source }) => [source, specifier]));
const options: TypeDocOptions & PluginOptions = {
  plugin: ["typedoc-plugin-markdown"],
  tsconfig: join(root, "tools/site/tsconfig.api.json"),
  entryPointStrategy: "resolve",
  entryPoints: [...names.keys()],
  outputs: [{ name: "markdown", path: apiPages }],
  router: "module",
  readme: "none",
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  // Sources refer to what their package does not export, in comments for its developers.
  validation: { notExported: false, invalidLink: true, notDocumented: false },
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  treatWarningsAsErrors: true,
};
const app = await Application.bootstrapWithPlugins(options);
// A module is named by its path, unless it is renamed.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) => {
  for (const module of context.project.getReflectionsByKind(ReflectionKind.Module)) {
    const [file] = context.getSymbolFromReflection(module)?.declarations ?? [];
    const name = file && names.get(file.getSourceFile().fileName);
    if (name === undefined) throw new Error(`${module.name} is no entry of a package`);
    module.name = name;
  }
});
const project = await app.convert();
if (project === undefined) throw new Error("TypeDoc failed");
app.validate(project);
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("TypeDoc failed");
