import type { ParseArgsOptionsConfig } from 'node:util';
import type { Deps } from './deps.ts';
import type { Home } from './home.ts';

/** The values of the options, by option name. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export interface CommandContext {
  values: Values;
  /** The positional arguments, as the command's `arguments` names them. */
  args: readonly string[];
  home: Home;
  deps: Pick<Deps, 'clock' | 'env' | 'fetch' | 'folders' | 'readInput'>;
  /** Prints the result: the raw answer with --json, otherwise a description. */
  report(answer: unknown, tell: () => string): void;
}

/** A command of the tool, such as `hearth app create`. */
export interface Command {
  /** "app create", or a single word such as "backup". */
  name: string;
  /** One line for lists of commands. */
  summary: string;
  /** Follows the name in the usage: "--name <name> [--minors]". */
  usage?: string;
  /** A few more lines of help, including the options. */
  help?: string;
  /** The required positional arguments, in order (default: none). */
  arguments?: readonly string[];
  /** Options of this command, besides the common ones. */
  options: ParseArgsOptionsConfig;
  run(context: CommandContext): Promise<void>;
}
