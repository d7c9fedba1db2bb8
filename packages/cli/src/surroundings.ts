/** All that the tool has of the world around it: tests bring their own. */
export interface Surroundings {
  /** Environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folders in which the home's data folder may lie, the likeliest first. */
  folders: readonly string[];
  /** The text of a file; undefined when there is none. Throws when it cannot be read. */
  readFile(path: string): string | undefined;
  fetch: typeof fetch;
  /** What was asked for; goes to the standard output. */
  print(text: string): void;
  /** What went wrong, and what to know beside the answer; goes to the standard error. */
  complain(text: string): void;
}
