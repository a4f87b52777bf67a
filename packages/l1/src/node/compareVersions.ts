/** Whether two programs have the same version; `unknown` if one of them does not report it. */
export type VersionComparison = "equal" | "different" | "unknown";

/** Compares two versions as text; a leading `v` is ignored. */
export function compareVersions(one: string | undefined, other: string | undefined): VersionComparison {
  const left = normalize(one);
  const right = normalize(other);
  if (left === "" || right === "") return "unknown";
  return left === right ? "equal" : "different";
}

function normalize(version: string | undefined): string {
  return (version ?? "").trim().replace(/^v(?=\d)/, "");
}
