import type { HomeKey, OtherHome } from '@hearth/sdk';
import { plain } from '../../plain.ts';
import { factsTable, table } from '../../table.ts';
import { keyColumns, keyRow } from '../key/key.ts';
import { minuteOf } from '../list-command.ts';

export const homeStates = ['unknown', 'good', 'failing', 'lapsed', 'key_change', 'key_revoked'] as const;

const stateWords: Record<OtherHome['status'], string> = {
  unknown: 'no document of it was ever taken',
  good: 'its document holds',
  failing: 'its document holds, and the last fetch failed',
  lapsed: 'its document has lapsed, and no newer one was taken: nothing is exchanged',
  key_change: 'a document waits that none of its known keys signed; meanwhile nothing is exchanged',
  key_revoked: 'one of its keys revoked itself, and what else that document says waits',
};

/** The argument of a command about one other home. */
export const homeArgument = { thing: 'home', id: 'its name, such as home.example', field: 'home' } as const;

/** All that is known of a home, for people. */
export function tellHome(home: OtherHome): string {
  const { keys = [], waiting } = home;
  const facts = [
    ['home', home.home],
    ['talked with', talkWords(home)],
    ['state', stateWords[home.status]],
    ['document', home.doc_seq === undefined ? '-' : `${home.doc_seq}, until ${minuteOf(home.valid_until)}`],
    ['last taken', minuteOf(home.good_at)],
    ['last asked', minuteOf(home.tried_at)],
    ['last failure', plain(home.failure ?? '-')],
    ['endpoint', plain(home.endpoint ?? '-')],
    ['unsent', unsentWords(home)],
  ] as const;
  const parts = [factsTable(facts)];
  const events = eventsOf(home);
  if (events.length > 0) parts.push(events.join('\n'));
  if (keys.length > 0) parts.push(tellKeys(keys));
  if (waiting !== undefined) {
    parts.push(
      `Since ${minuteOf(waiting.since)} the document ${waiting.doc_seq} waits; it is taken by itself at ${minuteOf(waiting.taken_at)}.\n` +
        'Ask the people of that home by another way for a key that signs it. When it is one of these:\n' +
        `  hearth home accept-key ${home.home} <kid>`,
      tellKeys(waiting.keys ?? []),
    );
  }
  return parts.join('\n\n');
}

/** A home of which the operator said nothing goes by the setting. */
export function talkWords({ talks, policy }: Pick<OtherHome, 'talks' | 'policy'>): string {
  return `${talks ? 'yes' : 'no'} (${policy === 'unset' ? 'by HEARTH_FEDERATION' : policy})`;
}

function unsentWords({ unsent, failing_since: since, last_error: error }: OtherHome): string {
  const items = unsent === 1 ? '1 item' : `${unsent} items`;
  if (since === undefined) return items;
  return `${items}; nothing was taken there since ${minuteOf(since)}: ${plain(error ?? 'no answer')}`;
}

/** The things that happened to either home and concern its people and AIs. */
function eventsOf({ began_anew_at: anewAt, restored_at: restoredAt, restored = '' }: OtherHome): string[] {
  return [
    ...(anewAt === undefined
      ? []
      : [
          `${minuteOf(anewAt)}: it began anew. What waited for it was undeliverable; contacts and threads with the one before have ended, blocks stay.`,
        ]),
    ...(restoredAt === undefined ? [] : [`${minuteOf(restoredAt)}: ${plain(restored)}.`]),
  ];
}

function tellKeys(keys: readonly HomeKey[]): string {
  return table(keyColumns, keys.map(keyRow));
}
