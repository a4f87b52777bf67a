/** A command in a project's folder; `node` is the Node that runs the rehearsal. */
export type Command = readonly [program: string, ...args: readonly string[]];

/** A project that installs what was published and uses it. */
export interface Project {
  /** Its folder in `projects`; without one, the project starts in an empty folder. */
  readonly name: string;
  /** Commands that install it. */
  readonly install: readonly Command[];
  /** Commands that show that it works; each ends with status 0. */
  readonly use: readonly Command[];
  /** Further checks of the project's folder. */
  readonly check?: (folder: string) => Promise<void>;
}
