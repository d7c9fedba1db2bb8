import type { ReceivedEvent } from '@hearth/runtime';
import { keepPeople, peopleEvents } from '../../shared/actions/keep-people.ts';
import type { Context } from '../context.ts';
import { decisionTable as table } from '../db/decisions.ts';

/** Keeps the people of decisions that have not ended as they are. */
export const onPeopleChanged = (context: Context) => ({
  durable: 'people',
  types: peopleEvents,
  handle: (received: readonly ReceivedEvent[]) =>
    keepPeople(context, { ...context, table, things: context.decisions }, received),
});
