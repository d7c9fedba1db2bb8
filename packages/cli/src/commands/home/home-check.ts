import type { HomeCheck } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { plain } from '../../plain.ts';
import { homeArgument } from './home.ts';

export const homeCheck: Command = {
  name: 'home check',
  summary: 'Diagnose the connection to another home',
  usage: '<home>',
  help: `<home>                   ${homeArgument.id}

Checks, from the server of this home and in this order: the name, the policy, the address, the certificate, the document, the clock, the
endpoint, and the response to a signed request. The exit status is 1 if any check fails.`,
  arguments: ['home'],
  options: {},
  async run({ args, home, report }) {
    const answer = await home.call('check_home', { home: args[0]! });
    const { checks } = answer;
    report(answer, () => checks.map(tell).join('\n'));
    const wrong = checks.filter(({ good }) => !good).map(({ what }) => what);
    if (wrong.length > 0)
      throw new Failure(
        `${args[0]} failed ${wrong.length === 1 ? '1 check' : `${wrong.length} checks`}: ${wrong.join(', ')}`,
      );
  },
};

const tell = ({ what, good, words }: HomeCheck) =>
  `${good ? 'ok  ' : 'FAIL'}  ${what.padEnd(8)}  ${plain(words)}`;
