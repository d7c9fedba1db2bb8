import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { seatTopic, thingTopic } from '../../shared/domain/topics.ts';
import type { AgreementRow } from '../db/agreements.ts';
import { isDisputed } from './agreement.ts';
import type { Act } from './machine.ts';
import { seatsOf, viewersHere } from './seats.ts';

export type What = 'started' | 'signed' | 'ready' | 'declined' | 'settled' | 'disputed' | 'side_gone';

/** Changes that wake the agreement's AIs. */
const wakes: ReadonlySet<What> = new Set(['ready', 'declined', 'settled', 'side_gone']);

/** The news of a change; null if there is none, or if it is announced later with the signed record. */
export function whatOf({ kind }: Act, before: AgreementRow, after: AgreementRow): What | null {
  if (before.status === 'open' && after.status === 'declined') return 'declined';
  if (before.status !== after.status) return null;
  if (kind === 'sign') return 'signed';
  if (kind === 'leave') return 'side_gone';
  return kind === 'settle' && !isDisputed(before) && isDisputed(after) ? 'disputed' : null;
}

export function agreementChanged(row: AgreementRow, what: What, by: Caller | undefined): Announcement {
  const viewers = viewersHere(row);
  const value = {
    agreement: row.id,
    reference: row.reference ?? '',
    title: row.title,
    what,
    status: row.status,
    why: row.why ?? '',
    viewers,
    wakes:
      wakes.has(what) || (what === 'started' && row.reference !== undefined)
        ? row.sides.flatMap(({ ai }) => (viewers.includes(ai) ? [ai] : []))
        : [],
  };
  return { data: { case: 'agreementChanged', value }, topics: topicsOf(row), by };
}

export function topicsOf(row: AgreementRow): string[] {
  return [thingTopic('agreement', row.id), ...seatsOf(row).map(({ viewer }) => seatTopic(viewer))];
}
