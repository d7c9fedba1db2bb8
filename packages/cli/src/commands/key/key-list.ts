import type { AnswerOf, HomeKey, SealState } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { table } from '../../table.ts';
import { minuteOf } from '../list-command.ts';
import { keyColumns, keyRow } from './key.ts';

export const keyList: Command = {
  name: 'key list',
  summary: "List the home's keys, the signatures of its document, and the progress of a seal key rotation",
  options: {},
  async run({ home, report }) {
    const answer = await home.call('list_keys', {});
    report(answer, () => tell(answer));
  },
};

function tell({ keys, document, seal }: AnswerOf<'list_keys'>): string {
  const rows = keys.map((key) => [
    ...keyRow(key),
    key.status === 'next' ? `active from ${minuteOf(key.changes_at)}` : retires(key),
  ]);
  return `${table([...keyColumns, 'NEXT'], rows)}

Document ${document.doc_seq} is valid until ${minuteOf(document.valid_until)} and signed by
  ${document.signed_by.join('\n  ')}

${tellSeal(seal)}`;
}

const retires = ({ changes_at: at }: HomeKey) => (at === undefined ? '-' : `retires ${minuteOf(at)}`);

export function tellSeal({ key, other_key: other, asked_at: at, places }: SealState): string {
  if (other === undefined) return `Stored secrets are encrypted with seal key ${key}.`;
  if (at === undefined) {
    return `Stored secrets are encrypted with seal key ${key}; ${other} is accepted too. To re-encrypt what it sealed: hearth key reseal`;
  }
  const waiting = places.filter(({ remaining }) => remaining !== 0);
  if (waiting.length === 0) {
    return `All stored secrets are encrypted with seal key ${key}. Remove ${other} from every process and restart them.`;
  }
  const rows = waiting.map(({ place, remaining, unopened }) => [
    place,
    remaining === undefined ? 'not checked yet' : String(remaining),
    String(unopened),
  ]);
  return `Some stored secrets are not encrypted with seal key ${key} yet. Keep ${other} until all are:

${table(['STORED IN', 'REMAINING', 'UNREADABLE'], rows)}`;
}
