import type { Event } from '@hearth/proto/events/v1/events';
import { typesOf } from '../../shared/domain/event-data.ts';
import type { Draft, Selectors } from './draft.ts';
import { aiEvents } from './of-ais.ts';
import { approvalEvents } from './of-approvals.ts';
import { groupEvents } from './of-groups.ts';
import { noticeEvents } from './of-notices.ts';
import { peopleEvents } from './of-people.ts';

/** Decisions, plans and messages of other homes are sent once their events are there: each is one more line here. */
const selectors: Selectors = {
  ...aiEvents,
  ...approvalEvents,
  ...groupEvents,
  ...noticeEvents,
  ...peopleEvents,
};

/** The events that apps are sent. */
export const selectedTypes = typesOf(selectors);

/** The drafts of an event for apps; none for events that are not for them. */
export function select({ data, by }: Event): Draft[] {
  if (data.case === undefined) return [];
  const selector = selectors[data.case] as ((value: unknown, by: Event['by']) => Draft | Draft[]) | undefined;
  if (selector === undefined) return [];
  const drafts = [selector(data.value, by)].flat();
  return drafts
    .map((each) => ({ ...each, apps: [...new Set(each.apps)].filter((app) => app !== '') }))
    .filter(({ apps, orderKey }) => apps.length > 0 && orderKey !== '');
}
