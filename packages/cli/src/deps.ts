import type { Clock } from '@hearth/clock';

/** The tool's access to the outside world; tests pass their own. */
export interface Deps {
  /** Environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folders that may contain the home's data folder, likeliest first. */
  folders: readonly string[];
  /** The text of a file; undefined if it doesn't exist. Throws if it can't be read. */
  readFile(path: string): string | undefined;
  /**
   * The bytes of a file, or of standard input for `-`; at most `mostBytes` + 1. @throws UsageError if it can't be read
   */
  readInput(path: string, mostBytes: number): Promise<Uint8Array>;
  fetch: typeof fetch;
  clock: Clock;
  /** Prints the answer to standard output. */
  print(text: string): void;
  /** Prints failures and notes to standard error. */
  complain(text: string): void;
}
