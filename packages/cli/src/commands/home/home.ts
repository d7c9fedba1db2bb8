import type { HomeKey, OtherHome } from '@hearth/sdk';
import { plain } from '../../plain.ts';
import { factsTable, table } from '../../table.ts';
import { keyColumns, keyRow } from '../key/key.ts';
import { minuteOf } from '../list-command.ts';

export const homeStates = ['unknown', 'good', 'failing', 'lapsed', 'key_change', 'key_revoked'] as const;

const stateWords: Record<OtherHome['status'], string> = {
  unknown: 'no document accepted yet',
  good: 'document is valid',
  failing: 'document is valid, but the last fetch failed',
  lapsed: 'document has expired; nothing is exchanged until a newer one is accepted',
  key_change: 'a document that no known key signed is pending; nothing is exchanged meanwhile',
  key_revoked: 'one of its keys was revoked by itself; other changes in that document are pending',
};

/** The argument of a command about one other home. */
export const homeArgument = {
  thing: 'home',
  id: 'name of the home, e.g. home.example',
  field: 'home',
} as const;

/** Describes a home for people. */
export function tellHome(home: OtherHome): string {
  const { keys = [], waiting } = home;
  const facts = [
    ['home', home.home],
    ['connected', talkWords(home)],
    ['state', stateWords[home.status]],
    [
      'document',
      home.doc_seq === undefined ? '-' : `${home.doc_seq}, valid until ${minuteOf(home.valid_until)}`,
    ],
    ['last fetched', minuteOf(home.good_at)],
    ['last tried', minuteOf(home.tried_at)],
    ['last error', plain(home.failure ?? '-')],
    ['endpoint', plain(home.endpoint ?? '-')],
    ['unsent', unsentWords(home)],
  ] as const;
  const parts = [factsTable(facts)];
  const events = eventsOf(home);
  if (events.length > 0) parts.push(events.join('\n'));
  if (keys.length > 0) parts.push(tellKeys(keys));
  if (waiting !== undefined) {
    parts.push(
      `Document ${waiting.doc_seq} has been pending since ${minuteOf(waiting.since)}; it will be accepted automatically at ${minuteOf(waiting.taken_at)}.\n` +
        'Ask the people of that home over another channel which key they use. If it is listed below:\n' +
        `  hearth home accept-key ${home.home} <kid>`,
      tellKeys(waiting.keys ?? []),
    );
  }
  return parts.join('\n\n');
}

/** Without a policy for the home, the setting applies. */
export function talkWords({ talks, policy }: Pick<OtherHome, 'talks' | 'policy'>): string {
  return `${talks ? 'yes' : 'no'} (${policy === 'unset' ? 'HEARTH_FEDERATION' : policy})`;
}

function unsentWords({ unsent, failing_since: since, last_error: error }: OtherHome): string {
  const items = unsent === 1 ? '1 item' : `${unsent} items`;
  if (since === undefined) return items;
  return `${items}; failing since ${minuteOf(since)}: ${plain(error ?? 'no response')}`;
}

/** Events of either home that affect its people and AIs. */
function eventsOf({ began_anew_at: anewAt, restored_at: restoredAt, restored = '' }: OtherHome): string[] {
  return [
    ...(anewAt === undefined
      ? []
      : [
          `${minuteOf(anewAt)}: treated as a new home from here on. Pending items became undeliverable, and earlier contacts and threads ended; blocks stay.`,
        ]),
    ...(restoredAt === undefined ? [] : [`${minuteOf(restoredAt)}: ${plain(restored)}.`]),
  ];
}

function tellKeys(keys: readonly HomeKey[]): string {
  return table(keyColumns, keys.map(keyRow));
}
