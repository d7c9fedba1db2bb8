import type { AnswerOf, InputOf, OperationName } from '@hearth/sdk';
import type { Command, CommandContext } from '../command.ts';
import { readRequired } from '../read-options.ts';

export interface ActOptions<Name extends OperationName> {
  name: string;
  summary: string;
  /** Its word in the usage: "report". */
  thing: string;
  /** The meaning of the argument. */
  id: string;
  /** Its options in their order, each required unless it has `optional`; none when not given. */
  options?: Readonly<Record<string, { help: string; value?: string; optional?: true }>>;
  /** Further help. */
  help?: string;
  operation: Name;
  /** The field that takes the argument (default: id). */
  field?: string;
  /** The options as they were given, when nothing else is said. @throws UsageError */
  read?(context: CommandContext): Readonly<Record<string, unknown>>;
  tell(answer: AnswerOf<Name>): string;
}

const helpWidth = 23;

/** A command that does or shows one thing of what its argument names. */
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
