import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { instant, listed, type Text, t, type Value } from '@hearth/i18n';
import type { GroupSnapshot, PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';

/** Values of a message about an act whose actor may be unknown. */
export const byActor = ({ who }: Pick<KnownActor, 'who'>): { by: 'none' | 'other'; who: Value } => ({
  by: who === null ? 'none' : 'other',
  who: who ?? '',
});

/** The end of a suspension, or the day of a deletion. */
export const untilWhen = (end: Timestamp | undefined): Text =>
  end === undefined ? t('events.further-notice') : instant(timestampDate(end));

/** Followed by the operator's reason, where there is one. */
export const withReason = (what: Text, reason: string): Text =>
  reason === '' ? what : t('events.with-reason', { what, reason });

export const nameOf = (person: PersonSnapshot | undefined): Value =>
  person?.name || t('events.actor.someone');

export const groupName = (group: GroupSnapshot | undefined): Value => group?.name || t('events.a-group');

const fields = [
  'address',
  'age_band',
  'ai_share',
  'app',
  'away',
  'description',
  'ends_at',
  'event_types',
  'guardian',
  'guest',
  'handle',
  'keys',
  'language',
  'name',
  'owner_private',
  'permissions',
  'platform',
  'redirect_uris',
  'settings',
  'signing_secret',
  'time_zone',
  'vouched_by',
  'webhook_url',
] as const;

/** The changed fields of a thing: "name, time zone and settings". */
export function fieldsOf(changed: readonly string[]): Text {
  const known = fields.filter((field) => changed.includes(field)).map((field) => t(`events.field.${field}`));
  const others = changed.length === 0 || changed.length > known.length;
  return listed(others ? [...known, t('events.field.other')] : known);
}

/** Returns an audit entry only if the operator acted, for an event that others announce too. */
export const whenOperator =
  <Value, Made>(make: (value: Value) => Made) =>
  (value: Value, { operator }: { operator: boolean }): Made | null =>
    operator ? make(value) : null;
