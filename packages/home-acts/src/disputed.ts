import { storeTexts, t } from '@hearth/i18n';
import type { Announcement } from '@hearth/outbox';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { HostParts } from '@hearth/runtime';
import { recordDisputed } from './metrics.ts';

/** A remote thing that misquotes local people. */
export interface Disputed {
  /** The kind of its state, such as "decision". */
  kind: string;
  home: string;
  /** uuid of the copy */
  id: string;
  reference: string;
  title: string;
  /** The path of its page: "/d/...". */
  link: string;
}

type NoticeReader = Pick<PersonFacts, 'app' | 'id'>;

/**
 * Logs and counts that another home misquotes local people, and announces it to each of them.
 *
 * @param told uuids of people
 */
export async function disputedNews(
  { log, people }: Pick<HostParts<'log' | 'people'>, 'log' | 'people'>,
  thing: Disputed,
  told: readonly string[],
): Promise<Announcement[]> {
  recordDispute(log, thing);
  return disputedNotices(thing, [...(await people.find(told)).values()]);
}

/** Reports a misquoting thing to the operator. */
export function recordDispute(
  log: HostParts<'log'>['log'],
  { home, reference }: Pick<Disputed, 'home' | 'reference'>,
): void {
  log.warn({ home, reference }, 'a home shows other words of people here');
  recordDisputed({ home });
}

/** Returns the notices to the people that a thing misquotes. */
export function disputedNotices(
  { kind, id: item, title: body, link }: Pick<Disputed, 'id' | 'kind' | 'link' | 'title'>,
  people: readonly NoticeReader[],
): Announcement[] {
  return people.map(({ id: person, app }): Announcement => {
    const value = {
      ...{ person, about: '', kind, item, link, again: true },
      ...storeTexts({ title: t('notices.disputed'), body }),
      apps: app === '' ? [] : [app],
    };
    return { data: { case: 'personNotified', value } };
  });
}
