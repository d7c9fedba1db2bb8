import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Announcement } from '@hearth/outbox';
import { snapshotOf } from '@hearth/people';
import type { AccountDeletedSchema } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { cardTopic, whoamiTopic } from '../../shared/domain/topics.ts';

type By = Caller | undefined;

const topicsOf = (person: string) => [cardTopic(person), whoamiTopic(person)];

export function personCreated(facts: PersonFacts, apps: string[], by: By): Announcement {
  return { data: { case: 'personCreated', value: { person: snapshotOf(facts), apps } }, by };
}

/** A change of a person, as the event reports it. */
export interface PersonChangeNews {
  /** name, handle, age_band, guardian, ai_share, app, guest, time_zone, language, suspended or restored */
  changed: string[];
  /** For a suspension and its end: the time it ends, and the operator's reason. */
  until?: Date;
  reason?: string;
  /** uuids of the children whose guardian they are. */
  wards?: string[];
}

/** @param facts after the change */
export function personChanged(
  facts: PersonFacts,
  { until, ...told }: PersonChangeNews & { apps: string[] },
  by: By,
): Announcement {
  const value = { person: snapshotOf(facts), ...told, ...(until && { until: timestampFromDate(until) }) };
  return { data: { case: 'personChanged', value }, topics: topicsOf(facts.id), by };
}

export function deletionAsked(
  facts: PersonFacts,
  { deletesAt, ...told }: { deletesAt: Date; apps: string[]; reason: string },
  by: By,
): Announcement {
  const value = { person: snapshotOf(facts), deletesAt: timestampFromDate(deletesAt), ...told };
  return { data: { case: 'deletionAsked', value }, topics: topicsOf(facts.id), by };
}

export function deletionTakenBack(
  facts: PersonFacts,
  told: { apps: string[]; reason: string },
  by: By,
): Announcement {
  const value = { person: snapshotOf(facts), ...told };
  return { data: { case: 'deletionTakenBack', value }, topics: topicsOf(facts.id), by };
}

/**
 * @param id uuid of the event, which apps use to confirm it
 *
 * @param people uuids of others whose cards change
 */
export function accountDeleted(
  id: string,
  value: MessageInitShape<typeof AccountDeletedSchema> & { deleted: string[] },
  people: readonly string[],
): Announcement {
  return {
    id,
    data: { case: 'accountDeleted', value },
    topics: [...value.deleted, ...people].flatMap(topicsOf),
  };
}
