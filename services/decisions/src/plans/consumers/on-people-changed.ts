import type { ReceivedEvent } from '@hearth/runtime';
import { keepPeople, peopleEvents } from '../../shared/actions/keep-people.ts';
import type { Context } from '../context.ts';
import { planTable as table } from '../db/plans.ts';

/** Keeps the people of plans that have not ended as they are. */
export const onPeopleChanged = (context: Context) => ({
  durable: 'people-of-plans',
  types: peopleEvents,
  handle: (received: readonly ReceivedEvent[]) =>
    keepPeople(context, { ...context, table, things: context.plans }, received),
});
