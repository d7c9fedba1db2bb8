import type { Announcement } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { HostParts } from '@hearth/runtime';
import { recordDisputed } from './metrics.ts';

/** A thing of another home which says of people here what they did not say. */
export interface Disputed {
  /** As in `kind` of a state: "decision". */
  kind: string;
  home: string;
  /** uuid of the copy */
  id: string;
  reference: string;
  title: string;
  /** The page that shows it: "/d/...". */
  link: string;
}

type NoticeReader = Pick<PersonFacts, 'app' | 'id'>;

/** Logs and counts that another home shows other words of people here than they sent, and announces it to each of them. @param told uuids of people */
export async function disputedNews(
  { log, people }: Pick<HostParts<'log' | 'people'>, 'log' | 'people'>,
  thing: Disputed,
  told: readonly string[],
): Promise<Announcement[]> {
  recordDispute(log, thing);
  return disputedNotices(thing, [...(await people.find(told)).values()]);
}

/** Tells the operator of such a thing. */
export function recordDispute(
  log: HostParts<'log'>['log'],
  { home, reference }: Pick<Disputed, 'home' | 'reference'>,
): void {
  log.warn({ home, reference }, 'a home shows other words of people here');
  recordDisputed({ home });
}

/** Tells these people of such a thing. */
export function disputedNotices(
  { kind, id: item, title: body, link }: Pick<Disputed, 'id' | 'kind' | 'link' | 'title'>,
  people: readonly NoticeReader[],
): Announcement[] {
  return people.map(({ id: person, app }): Announcement => {
    const value = {
      ...{ person, about: '', kind, item, body, link, again: true },
      title: 'The other home shows a different answer from yours',
      apps: app === '' ? [] : [app],
    };
    return { data: { case: 'personNotified', value } };
  });
}
