import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';

/** A message to a person, sent on the channels of their app. */
export interface Notice {
  title: string;
  body: string;
  /** A path on this site. */
  link: string;
  kind: 'approval' | 'invite';
  /** uuid */
  item: string;
  by?: Caller | undefined;
}

/** @param about uuid of the child the notice is about; empty otherwise */
export function personNotified(
  person: { id: string; app: string },
  about: string,
  { by, ...notice }: Notice,
): Announcement {
  const value = { person: person.id, about, ...notice, apps: person.app === '' ? [] : [person.app] };
  return { data: { case: 'personNotified', value }, by };
}
