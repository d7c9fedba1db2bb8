import type { AnswerOf, HomeKey, SealState } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { table } from '../../table.ts';
import { minuteOf } from '../list-command.ts';
import { keyColumns, keyRow } from './key.ts';

export const keyList: Command = {
  name: 'key list',
  summary: "list the home's keys, who signed its document, and how far a change of the seal key is",
  options: {},
  async run({ home, report }) {
    const answer = await home.call('list_keys', {});
    report(answer, () => tell(answer));
  },
};

function tell({ keys, document, seal }: AnswerOf<'list_keys'>): string {
  const rows = keys.map((key) => [
    ...keyRow(key),
    key.status === 'next' ? `signs from ${minuteOf(key.changes_at)}` : retires(key),
  ]);
  return `${table([...keyColumns, 'THEN'], rows)}

The document ${document.doc_seq} holds until ${minuteOf(document.valid_until)}, signed by
  ${document.signed_by.join('\n  ')}

${tellSeal(seal)}`;
}

const retires = ({ changes_at: at }: HomeKey) => (at === undefined ? '-' : `retires ${minuteOf(at)}`);

export function tellSeal({ key, other_key: other, asked_at: at, places }: SealState): string {
  if (other === undefined) return `Values are sealed with the seal key ${key}.`;
  if (at === undefined) {
    return `Values are sealed with the seal key ${key}; what ${other} sealed opens too. To seal it anew: hearth key reseal`;
  }
  const waiting = places.filter(({ remaining }) => remaining !== 0);
  if (waiting.length === 0) {
    return `Everything is sealed with the seal key ${key}. Take ${other} away from every process, and start them anew.`;
  }
  const rows = waiting.map(({ place, remaining, unopened }) => [
    place,
    remaining === undefined ? 'not looked at yet' : String(remaining),
    String(unopened),
  ]);
  return `Not everything is sealed with the seal key ${key} yet. Keep ${other} until it is:

${table(['STORED IN', 'REMAINING', 'NOT TO BE OPENED'], rows)}`;
}
