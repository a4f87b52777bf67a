/** The part of a package.json that a release needs. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Sorts packages so that each comes after those it depends on: at no time does the registry hold a package whose
 * dependencies are missing.
 *
 * @throws Error when packages depend on each other in a circle.
 */
export function publishOrder<T extends { readonly manifest: Manifest }>(packages: readonly T[]): readonly T[] {
  const left = new Map(packages.map((each) => [each.manifest.name, each]));
  const sorted: T[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ manifest }) => {
      const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
      return !needed.some((name) => left.has(name));
    });
    if (ready.length === 0) throw new Error(`packages depend on each other: ${[...left.keys()].join(", ")}`);
    for (const each of ready) left.delete(each.manifest.name);
    sorted.push(...ready);
  }
  return sorted;
}
