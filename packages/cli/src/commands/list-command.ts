import type { ParseArgsOptionsConfig } from 'node:util';
import type { AnswerOf, InputOf } from '@hearth/sdk';
import type { Command, CommandContext } from '../command.ts';
import { readMoment } from '../moment.ts';
import { type EntryOf, type ListName, readPages } from '../paged.ts';
import { readLimit, readWord } from '../read-options.ts';
import { table } from '../table.ts';

interface Filter {
  /** A description for the help. */
  help: string;
  /** The allowed words (default: any text). */
  words?: readonly string[];
  /** A moment, or an age such as 6h. */
  moment?: true;
}

interface ListOptions<Name extends ListName, List extends keyof AnswerOf<Name>> {
  name: string;
  summary: string;
  operation: Name;
  /** The list's name in the answer. */
  list: List;
  /** Options that are sent as fields of the same name. */
  filters: Readonly<Record<string, Filter>>;
  /** More help. */
  help: string;
  none: string;
  columns: readonly string[];
  row(entry: EntryOf<Name, List>): readonly string[];
}

const helpWidth = 23;

/** Creates a command that lists something page by page. */
export function listCommand<Name extends ListName, List extends keyof AnswerOf<Name>>(
  options: ListOptions<Name, List>,
): Command {
  const { name, summary, operation, list, filters, none, columns, row } = options;
  const values: ParseArgsOptionsConfig = { limit: { type: 'string' } };
  for (const filter of Object.keys(filters)) values[filter] = { type: 'string' };
  const usages = Object.entries(filters).map(([filter, { moment }]) => optionOf(filter, moment));
  return {
    name,
    summary,
    usage: `${[...usages, '--limit <number>'].map((each) => `[${each}]`).join(' ')}`,
    help: `Options:
${Object.entries(filters)
  .map(([filter, { help, moment }]) => `  ${optionOf(filter, moment).padEnd(helpWidth)}${help}`)
  .join('\n')}
  ${'--limit <number>'.padEnd(helpWidth)}maximum number of results, up to 10000 (default: 100)

${options.help}`,
    options: values,
    async run(context) {
      const limit = readLimit(context.values);
      const input = filtersOf(context, filters) as InputOf<Name>;
      const found = await readPages(context.home, operation, list, input, limit);
      const shown = found.slice(0, limit);
      context.report(shown, () => {
        if (shown.length === 0) return none;
        const more = found.length > limit ? '\n\nMore results are available; raise --limit to see them.' : '';
        return table(columns, shown.map(row)) + more;
      });
    },
  };
}

const optionOf = (filter: string, moment: true | undefined) =>
  `--${filter} <${moment === true ? 'time' : filter}>`;

function filtersOf({ values, deps }: CommandContext, filters: Readonly<Record<string, Filter>>): object {
  const given: Record<string, string> = {};
  for (const [filter, { words, moment }] of Object.entries(filters)) {
    const text = words === undefined ? values[filter] : readWord(values, filter, words);
    if (typeof text !== 'string') continue;
    given[filter] = moment === true ? readMoment(filter, text, deps.clock) : text;
  }
  return given;
}

/** To the minute, for people. */
export const minuteOf = (moment: string | undefined) =>
  moment === undefined ? '-' : `${moment.slice(0, 16).replace('T', ' ')}Z`;
