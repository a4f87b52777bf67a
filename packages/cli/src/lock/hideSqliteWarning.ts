/**
 * Hides one warning of Node, and no other: that its SQLite is experimental. The command holds locks with it, which no user can
 * change, and its standard error is for what a user can act on.
 */
export function hideSqliteWarning(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (...warning: readonly unknown[]): void => {
    const [text, type] = warning;
    if (type === "ExperimentalWarning" && typeof text === "string" && text.startsWith("SQLite is ")) return;
    Reflect.apply(emitWarning, undefined, warning);
  };
}
