import type { Event } from '@hearth/proto/events/v1/events';
import { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { moveToGuardians } from '../actions/move-to-guardians.ts';
import { passFromDoor } from '../actions/pass-from-door.ts';
import type { Context } from '../context.ts';
import { openAtDoor } from '../db/open-recipients.ts';

/** Moves asks to the present guardian of a child, and from a front door that is none any more to its person. */
export const onResponsibleChanged = (context: Context) => ({
  durable: 'moves',
  types: ['person_changed', 'ai_changed', 'ai_claimed', 'ai_unclaimed'],
  async handle(received: readonly ReceivedEvent[]) {
    const events = received.map(({ event }) => event);
    for (const id of distinct(events.map(changedPerson))) await moveToGuardians(context, id);
    for (const id of distinct(events.map(changedAi))) await lookAtDoor(context, id);
  },
});

const distinct = (ids: (string | undefined)[]) => new Set(ids.flatMap((id) => id || []));

function changedPerson({ data }: Event): string | undefined {
  return data.case === 'personChanged' ? data.value.person?.id : undefined;
}

function changedAi({ data }: Event): string | undefined {
  switch (data.case) {
    case 'aiChanged':
      return data.value.ai;
    case 'aiClaimed':
    case 'aiUnclaimed':
      return data.value.ai?.id;
    default:
      return undefined;
  }
}

/** An AI is no front door any more once it has another owner, or may not send messages. */
async function lookAtDoor(context: Context, ai: string): Promise<void> {
  const { database, peers } = context;
  if ((await openAtDoor(database.db, ai, null, 1)).length === 0) return;
  const { results } = await peers.ais.findAis({ ids: [ai] }, { caller: anonymous });
  const facts = results[0]?.facts;
  const isOpen = facts !== undefined && !facts.revoked && facts.permissions.includes(Scope.MESSAGE);
  await passFromDoor(context, ai, isOpen ? facts.owner || null : null);
}
