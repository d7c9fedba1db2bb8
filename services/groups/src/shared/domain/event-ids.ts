import type { Event } from '@hearth/proto/events/v1/events';

/** The distinct ids that a batch of events is about. */
export function idsIn(
  events: readonly { event: Event }[],
  of: (event: Event) => readonly (string | undefined)[],
): string[] {
  const ids = events.flatMap(({ event }) => of(event));
  return [...new Set(ids)].filter((id): id is string => id !== undefined && id !== '');
}

/** uuids of the people whose facts changed. */
export function changedPeople(events: readonly { event: Event }[]): string[] {
  return idsIn(events, ({ data }) => (data.case === 'personChanged' ? [data.value.person?.id] : []));
}
