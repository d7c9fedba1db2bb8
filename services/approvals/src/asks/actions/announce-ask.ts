import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { approvalsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { approvalRequested, personNotified } from '../domain/events.ts';
import { type Notified, noticesFor } from '../domain/notices.ts';
import type { AskRows } from './ask-rows.ts';
import type { Reached } from './reach-recipients.ts';
import { askPath } from './receipt.ts';

/** What is announced of a new ask: to those whom it reaches, and to the apps that tell people. */
export async function announceAsk(
  { outbox, people }: Pick<Context, 'outbox' | 'people'>,
  { approval }: AskRows,
  reached: readonly Reached[],
  by: Caller | undefined,
): Promise<OutboxRow[]> {
  if (approval.status !== 'waiting') return [];
  const told = reached.filter(({ handling }) => handling !== 'declined' && handling !== 'turned_away');
  const facts = await people.find(told.flatMap(({ person }) => (person === null ? [] : [person])));
  const ids = (of: readonly Reached[]) => of.flatMap(({ recipient: { id } }) => (id === null ? [] : [id]));
  const asked = {
    to: ids(told),
    frontDoors: told.flatMap(({ front_door }) => (front_door === null ? [] : [front_door])),
    quiet: ids(told.filter(({ quiet }) => quiet)),
    places: told.flatMap(({ recipient: { id }, owner, box, requestKind, quiet }) =>
      id === null || owner === null ? [] : [{ to: id, owner, box, requestKind, quiet }],
    ),
    apps: [...facts.values()].map(({ app }) => app),
    topics: [
      ...told.flatMap(({ owner }) => (owner === null ? [] : [approvalsTopic(owner)])),
      ...[approval.asker, approval.asker_person].flatMap((id) => (id === null ? [] : [approvalsTopic(id)])),
    ],
  };
  const notified = told.flatMap((one): Notified[] => {
    const person = one.person === null ? undefined : facts.get(one.person);
    const loud = one.handling === 'delivered' && one.recipient.kind === 'person';
    return loud && person !== undefined
      ? [{ person, child: one.recipient.minor ? one.recipient.id : null }]
      : [];
  });
  return [
    approvalRequested(outbox, approval, asked, by),
    ...noticesFor(approval, notified, askPath(approval.id)).map((notice) =>
      personNotified(outbox, notice, by),
    ),
  ];
}
