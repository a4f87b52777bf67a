/** Whether two programs are of one version; `unknown` where one of them does not say. */
export type VersionComparison = "equal" | "different" | "unknown";

/** Compares two versions as text; a `v` in front makes no difference. */
export function compareVersions(one: string | undefined, other: string | undefined): VersionComparison {
  const left = normalize(one);
  const right = normalize(other);
  if (left === "" || right === "") return "unknown";
  return left === right ? "equal" : "different";
}

function normalize(version: string | undefined): string {
  return (version ?? "").trim().replace(/^v(?=\d)/, "");
}
