import type { Clock } from '@hearth/clock';

/** All that the tool has of the world around it: tests bring their own. */
export interface Deps {
  /** Environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folders in which the home's data folder may lie, the likeliest first. */
  folders: readonly string[];
  /** The text of a file; undefined when there is none. Throws when it cannot be read. */
  readFile(path: string): string | undefined;
  /**
   * The bytes of a file, or of the standard input for `-`; at most one more than `mostBytes` of them. Throws UsageError
   * when it cannot be read.
   */
  readInput(path: string, mostBytes: number): Promise<Uint8Array>;
  fetch: typeof fetch;
  clock: Clock;
  /** The answer; goes to the standard output. */
  print(text: string): void;
  /** Failures and notes beside the answer; go to the standard error. */
  complain(text: string): void;
}
