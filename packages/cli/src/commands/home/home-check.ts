import type { HomeCheck } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { plain } from '../../plain.ts';
import { homeArgument } from './home.ts';

export const homeCheck: Command = {
  name: 'home check',
  summary: 'go through all that must be right to talk with a home, and say what is wrong',
  usage: '<home>',
  help: `<home>                   ${homeArgument.id}

Looked at from the server of this home, in this order: the name, whether it is talked with, its address, its certificate, its document, its
clock, where its requests go, and the answer to a signed request. The exit status is 1 when one of them is wrong.`,
  arguments: ['home'],
  options: {},
  async run({ args, home, report }) {
    const answer = await home.call('check_home', { home: args[0]! });
    const { checks } = answer;
    report(answer, () => checks.map(tell).join('\n'));
    const wrong = checks.filter(({ good }) => !good).map(({ what }) => what);
    if (wrong.length > 0) throw new Failure(`${args[0]} cannot be talked with: ${wrong.join(', ')}`);
  },
};

const tell = ({ what, good, words }: HomeCheck) =>
  `${good ? 'good ' : 'WRONG'}  ${what.padEnd(8)}  ${plain(words)}`;
