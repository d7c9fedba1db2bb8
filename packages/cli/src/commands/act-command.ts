import type { AnswerOf, InputOf, OperationName } from '@hearth/sdk';
import type { Command, CommandContext } from '../command.ts';
import { readRequired } from '../read-options.ts';

export interface ActOptions<Name extends OperationName> {
  name: string;
  summary: string;
  /** The argument's name in the usage: "report". */
  thing: string;
  /** A description of the argument. */
  id: string;
  /** Options in their order; required unless `optional` (default: none). */
  options?: Readonly<Record<string, { help: string; value?: string; optional?: true }>>;
  /** More help. */
  help?: string;
  operation: Name;
  /** The request field that takes the argument (default: id). */
  field?: string;
  /** Reads the options, where the default isn't enough. @throws UsageError */
  read?(context: CommandContext): Readonly<Record<string, unknown>>;
  tell(answer: AnswerOf<Name>): string;
}

const helpWidth = 23;

/** Creates a command that acts on, or shows, the thing that its argument names. */
export function actCommand<Name extends OperationName>(given: ActOptions<Name>): Command {
  const { name, summary, thing, id, options = {}, help, operation, field = 'id', tell } = given;
  const each = Object.entries(options);
  const optionOf = (option: string) => `--${option} <${options[option]?.value ?? 'text'}>`;
  const usages = each.map(([option, { optional }]) =>
    optional === true ? `[${optionOf(option)}]` : optionOf(option),
  );
  const lines = each.map(([option, { help: words }]) => `  ${optionOf(option).padEnd(helpWidth)}${words}`);
  const read =
    given.read ??
    (({ values }) => Object.fromEntries(each.map(([option]) => [option, readRequired(values, option)])));
  return {
    name,
    summary,
    usage: [`<${thing}>`, ...usages].join(' '),
    help: [
      `${`<${thing}>`.padEnd(helpWidth + 2)}${id}`,
      each.length > 0 && `Options:\n${lines.join('\n')}`,
      help,
    ]
      .filter(Boolean)
      .join('\n\n'),
    arguments: [thing],
    options: Object.fromEntries(each.map(([option]) => [option, { type: 'string' }])),
    async run(context) {
      const input = { [field]: context.args[0]!, ...read(context) };
      const answer = await context.home.call(operation, input as unknown as InputOf<Name>);
      context.report(answer, () => tell(answer));
    },
  };
}
