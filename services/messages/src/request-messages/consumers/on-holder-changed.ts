import type { Tx } from '@hearth/db';
import { isMinor } from '@hearth/people';
import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { holdersFor, lockHeld, mailboxesHeldBy, passToHolder } from '../db/held-messages.ts';
import { endWait, moveToRequests, type RequestRow } from '../db/request-messages.ts';

/** Passes on what waits at an AI that has left the front door, or at a person who is a guardian no more. */
export const onHolderChanged = (context: Context) => ({
  durable: 'holders',
  types: ['ai_revoked', 'ai_unclaimed', 'person_changed'],
  async handle(events: ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { data } = event;
      if (data.case === 'aiRevoked') await leaveDoor(context, data.value.ai);
      if (data.case === 'aiUnclaimed') await leaveDoor(context, data.value.ai?.id ?? '');
      if (data.case === 'personChanged' && concernsGuardians(data.value.changed))
        await changeGuardians(context, data.value.person?.id ?? '');
    }
  },
});

function concernsGuardians(changed: readonly string[]): boolean {
  return changed.includes('guardian') || changed.includes('age_band');
}

/** To the person's own requests. */
async function leaveDoor(context: Context, ai: string): Promise<void> {
  if (ai === '') return;
  for (const mailbox of await mailboxesHeldBy(context.database.db, ai)) {
    await passOn(context, mailbox, ai, (tx, rows) => moveToRequests(tx, mailbox, rows));
  }
}

/** To a present guardian; to a person who is of age, themselves; without a guardian the messages are hidden. */
async function changeGuardians(context: Context, child: string): Promise<void> {
  const holders = child === '' ? [] : await holdersFor(context.database.db, child);
  if (holders.length === 0) return;
  const { results } = await context.identity.findPeople({ ids: [child] }, { caller: anonymous });
  const facts = results[0]?.facts;
  const guardians = facts !== undefined && isMinor(facts) ? facts.guardians : [];
  const [guardian] = guardians;
  for (const holder of holders.filter((one) => !guardians.includes(one))) {
    await passOn(context, child, holder, async (tx, rows) => {
      if (guardian !== undefined) await passToHolder(tx, rows, guardian);
      else if (facts !== undefined && !isMinor(facts)) await moveToRequests(tx, child, rows);
      else await endWait(tx, child, rows, new Date(context.clock.now()));
    });
  }
}

async function passOn(
  { commit }: Context,
  mailbox: string,
  holder: string,
  work: (tx: Tx, rows: RequestRow[]) => Promise<void>,
): Promise<void> {
  await commit(async (tx) => {
    await lockMailboxes(tx, mailbox);
    const rows = await lockHeld(tx, mailbox, holder);
    if (rows.length > 0) await work(tx, rows);
    tx.wake(mailboxTopic(mailbox));
  });
}
