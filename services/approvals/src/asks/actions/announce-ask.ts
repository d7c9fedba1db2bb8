import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { isDelivered } from '../domain/answerer.ts';
import { approvalRequested, mailedOf, type Notified, noticesOf } from '../domain/events.ts';
import { approvalsTopic } from '../domain/topics.ts';
import type { Placement } from './place-recipients.ts';

/** The events of a new ask: for the recipients it reaches, and for apps that notify people themselves. */
export async function announceAsk(
  { people }: Pick<Context, 'people'>,
  { approval, recipients }: WholeApproval,
  placements: readonly Placement[],
  by: Caller | undefined,
): Promise<Announcement[]> {
  if (approval.status !== 'waiting') return [];
  const placed = placements.filter(isDelivered);
  const facts = await people.find(placed.flatMap(({ person }) => person ?? []));
  const idsOf = (of: readonly Placement[]) => of.flatMap(({ recipient: { id } }) => id ?? []);
  const owners = [...placed.map(({ owner }) => owner), approval.asker, approval.asker_person];
  const audience = {
    to: idsOf(placed),
    frontDoors: placed.flatMap(({ front_door }) => front_door ?? []),
    quiet: idsOf(placed.filter(({ quiet }) => quiet)),
    mailed: mailedOf(recipients),
    places: placed.flatMap(({ recipient: { id }, owner, box, requestKind, quiet }) =>
      id === null || owner === null ? [] : [{ to: id, owner, box, requestKind, quiet }],
    ),
    apps: [...facts.values()].map(({ app }) => app),
    topics: owners.flatMap((id) => (id === null ? [] : [approvalsTopic(id)])),
  };
  const notified = placed.flatMap(({ person: id, handling, recipient }): Notified[] => {
    const person = id === null ? undefined : facts.get(id);
    if (person === undefined || handling !== 'delivered' || recipient.kind !== 'person') return [];
    return [{ person, child: recipient.minor ? recipient.id : null }];
  });
  return [approvalRequested(approval, audience, by), ...noticesOf(approval, notified, { by })];
}
