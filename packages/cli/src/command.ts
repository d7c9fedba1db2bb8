import type { ParseArgsOptionsConfig } from 'node:util';
import type { Deps } from './deps.ts';
import type { Home } from './home.ts';

/** The values given on the command line, by the names of the options. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export interface CommandContext {
  values: Values;
  /** One for each of the command's `arguments`. */
  args: readonly string[];
  home: Home;
  deps: Pick<Deps, 'clock' | 'env' | 'fetch' | 'folders' | 'readInput'>;
  /** Prints what came out: the answer as it is with --json, else in words. */
  report(answer: unknown, tell: () => string): void;
}

/** One thing that the tool can do: `hearth app create`. */
export interface Command {
  /** "app create", or one word: "backup" */
  name: string;
  /** In one line, for lists of commands. */
  summary: string;
  /** Behind the name in the usage: "--name <name> [--minors]". */
  usage?: string;
  /** Further help, options included; a few lines. */
  help?: string;
  /** The required arguments without an option, in this order; none when not there. */
  arguments?: readonly string[];
  /** Its own, beside those that every command takes. */
  options: ParseArgsOptionsConfig;
  run(context: CommandContext): Promise<void>;
}
