import { parseArgs } from 'node:util';
import type { Command, Values } from './command.ts';
import { commands } from './commands/index.ts';
import type { Deps } from './deps.ts';
import { Failure, UsageError } from './failure.ts';
import { helpOf, helpOfAll, helpOfGroup } from './help.ts';
import { createHome } from './home.ts';
import { plainJson } from './plain.ts';
import { operatorKeyOf, siteOf } from './settings.ts';

const succeeded = 0;
const failed = 1;
const misused = 2;

/**
 * Runs a command line.
 *
 * @param args the words after `hearth`
 * @returns the exit code: 0 for success, 1 for failure, 2 for a command line that isn't understood
 */
export async function run(args: readonly string[], deps: Deps): Promise<number> {
  try {
    await dispatch(args, deps);
    return succeeded;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    deps.complain(error.message);
    return error instanceof UsageError ? misused : failed;
  }
}

async function dispatch(args: readonly string[], deps: Deps): Promise<void> {
  const words = leadingWords(args);
  const command = commands.find(({ name }) => name === words.join(' ') || name === words[0]);
  if (command !== undefined) return await perform(command, args.slice(command.name.split(' ').length), deps);
  const help = words.length === 0 ? helpOfAll() : words.length === 1 ? helpOfGroup(words[0]!) : undefined;
  if (help === undefined) {
    throw new UsageError(`unknown command "${words.join(' ')}". See: hearth --help`);
  }
  const rest = args.slice(words.length);
  if (rest.some((option) => option !== '--help' && option !== '-h')) {
    throw new UsageError(
      `the command must come before its options. See: hearth ${[...words, '--help'].join(' ')}`,
    );
  }
  if (rest.length === 0 && words.length > 0) throw new UsageError(help);
  deps.print(help);
}

/** The command precedes its options and has at most two words. */
function leadingWords(args: readonly string[]): string[] {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return args.slice(0, end === -1 ? args.length : end).slice(0, 2);
}

async function perform(command: Command, args: readonly string[], deps: Deps): Promise<void> {
  const { values, positionals } = readOptions(command, args);
  if (values.help === true) return deps.print(helpOf(command));
  checkArguments(command, positionals);
  const site = siteOf(values.site as string | undefined, deps);
  const home = createHome(site, () => operatorKeyOf(deps), deps);
  const report = (answer: unknown, tell: () => string) =>
    deps.print(values.json === true ? plainJson(answer) : tell());
  try {
    await command.run({ values, args: positionals, home, deps, report });
  } catch (error) {
    throw error instanceof UsageError ? misuse(command, error.message) : error;
  }
}

/** Key ids can begin with a dash, so they are moved after the options for the parser. */
function withKids(args: readonly string[]): string[] {
  const isKid = (arg: string) => /^-[\w-]{42}$/.test(arg);
  const kids = args.filter(isKid);
  return kids.length === 0 ? [...args] : [...args.filter((arg) => !isKid(arg)), '--', ...kids];
}

function readOptions(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({
      args: withKids(args),
      strict: true,
      allowPositionals: true,
      options: {
        ...command.options,
        json: { type: 'boolean' },
        site: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    throw misuse(command, message.split('. ')[0]!);
  }
}

function checkArguments(command: Command, given: readonly string[]): void {
  const wanted = command.arguments ?? [];
  const missing = wanted[given.length];
  if (missing !== undefined) throw misuse(command, `<${missing}> is required`);
  const extra = given[wanted.length];
  if (extra !== undefined) throw misuse(command, `unexpected argument '${extra}'`);
}

function misuse({ name }: Command, problem: string): UsageError {
  return new UsageError(`${problem}. See: hearth ${name} --help`);
}
