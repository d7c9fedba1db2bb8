import type { Event } from '@hearth/proto/events/v1/events';

/** The events of identity's that this service hears. */
export const heardTypes = ['person_changed', 'account_deleted'];

/** uuids of the people whose facts changed. */
export function changedPeople(events: readonly Event[]): string[] {
  return peopleIn(events, ({ data }) => (data.case === 'personChanged' ? [data.value.person?.id ?? ''] : []));
}

/** uuids of the people whose accounts are gone. */
export function deletedPeople(events: readonly Event[]): string[] {
  return peopleIn(events, ({ data }) => (data.case === 'accountDeleted' ? data.value.deleted : []));
}

function peopleIn(events: readonly Event[], of: (event: Event) => string[]): string[] {
  return [...new Set(events.flatMap(of))].filter((id) => id !== '');
}
