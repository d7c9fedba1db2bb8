import { storeTexts, type Text } from '@hearth/i18n';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';

/** A message to a person, sent on the channels of their app. */
export interface Notice {
  title: Text;
  /** In the words of others, or the home's own. */
  body: Text | string;
  /** A path on this site. */
  link: string;
  kind: 'approval' | 'invite';
  /** uuid */
  item: string;
  by?: Caller | undefined;
}

/** @param about uuid of the child that it is about; empty otherwise */
export function personNotified(
  person: { id: string; app: string },
  about: string,
  { by, title, body, ...notice }: Notice,
): Announcement {
  const value = {
    ...{ person: person.id, about, ...storeTexts({ title, body }), ...notice },
    apps: person.app === '' ? [] : [person.app],
  };
  return { data: { case: 'personNotified', value }, by };
}
