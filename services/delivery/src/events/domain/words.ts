import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { wordsOf } from '@hearth/calendar';
import type { GroupSnapshot, PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';

/** Values of a sentence about an act, whose actor may not be known. */
export const byActor = ({ who }: Pick<KnownActor, 'who'>) =>
  ({ by: who === null ? 'none' : 'other', who: who ?? '' }) as const;

/** "Ada made it", or the second when no actor is known. */
export function sentence(who: string | null, active: string, passive: string): string {
  return who === null ? passive : `${who} ${active}`;
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A moment in a sentence: the day by the clocks of its one reader, else the instant, which pages show by the clocks of whoever reads it.
 *
 * @param zone of the reader; empty for an unknown one
 */
export function until(moment: Timestamp | undefined, zone?: string): string {
  if (moment === undefined) return 'further notice';
  const instant = timestampDate(moment).toISOString();
  return zone === undefined ? instant : wordsOf(instant, zone || null, 'day');
}

/** With the operator's words behind, where there are any. */
export const withReason = (told: string, reason: string) => (reason === '' ? told : `${told}: ${reason}`);

export const nameOf = (person: PersonSnapshot | undefined) => person?.name || 'Somebody';

export const groupName = (group: GroupSnapshot | undefined) => group?.name || 'a group';

const fieldNames: Record<string, string> = {
  age_band: 'age band',
  ai_share: 'AI sharing',
  ends_at: 'end',
  owner_private: 'whether its owner shows',
  redirect_uris: 'redirect addresses',
  time_zone: 'time zone',
  webhook_url: 'webhook address',
};

/** "Ada changed name, time zone and settings of Book club". */
export function changeOf(thing: string, changed: readonly string[], who: string | null): string {
  const fields = changed.map((field) => fieldNames[field] ?? field.replaceAll('_', ' '));
  const what = `${inOneList(fields) || 'something'} of ${thing}`;
  return sentence(who, `changed ${what}`, `Changed: ${what}`);
}

/** "Ada, Ben and Cleo". */
export function inOneList(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** A line of the audit log when the operator did it, of an event that others announce too. */
export const whenOperator =
  <Value, Made>(make: (value: Value) => Made) =>
  (value: Value, { operator }: { operator: boolean }): Made | null =>
    operator ? make(value) : null;
