import type { Clock } from '@hearth/clock';
import type { Database, Tx } from '@hearth/db';
import type { Outbox } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { Event } from '@hearth/proto/events/v1/events';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import { anyone, type Client } from '@hearth/rpc';
import { lockMailboxes } from '../../messages/db/messages.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { holdersFor, lockHeld, mailboxesHeldBy, passToHolder } from '../db/held-messages.ts';
import { endWait, moveToRequests, type RequestRow } from '../db/request-messages.ts';

export const holderEvents = ['ai_revoked', 'ai_unclaimed', 'person_changed'];

interface Parts {
  clock: Clock;
  database: Database;
  outbox: Pick<Outbox, 'wake'>;
  identity: Pick<Client<typeof PeopleService>, 'findPeople'>;
}

/** What waits at an AI that is not at the front door any more, or at somebody who is no guardian any more, goes on. */
export async function followHolders(parts: Parts, events: readonly Event[]): Promise<void> {
  for (const { data } of events) {
    if (data.case === 'aiRevoked') await leaveDoor(parts, data.value.ai);
    if (data.case === 'aiUnclaimed') await leaveDoor(parts, data.value.ai?.id ?? '');
    if (data.case === 'personChanged' && concernsGuardians(data.value.changed))
      await followGuardians(parts, data.value.person?.id ?? '');
  }
}

function concernsGuardians(changed: readonly string[]): boolean {
  return changed.includes('guardian') || changed.includes('age_band');
}

/** To the person's own requests. */
async function leaveDoor(parts: Parts, ai: string): Promise<void> {
  if (ai === '') return;
  for (const mailbox of await mailboxesHeldBy(parts.database.db, ai)) {
    await settle(parts, mailbox, ai, (tx, rows) => moveToRequests(tx, mailbox, rows));
  }
}

/** To whom guards the child now; to themselves once they are of age; without a guardian nobody sees it any more. */
async function followGuardians(parts: Parts, child: string): Promise<void> {
  const holders = child === '' ? [] : await holdersFor(parts.database.db, child);
  if (holders.length === 0) return;
  // Asked anew: what is remembered of people may be older than the event.
  const { results } = await parts.identity.findPeople({ ids: [child] }, { caller: anyone });
  const facts = results[0]?.facts;
  const guardians = facts !== undefined && isMinor(facts) ? facts.guardians : [];
  for (const holder of holders.filter((one) => !guardians.includes(one))) {
    await settle(parts, child, holder, async (tx, rows) => {
      const [guardian] = guardians;
      if (guardian !== undefined) {
        const ids = rows.map(({ id }) => id);
        await passToHolder(tx, ids, guardian);
      } else if (facts !== undefined && !isMinor(facts)) await moveToRequests(tx, child, rows);
      else await endWait(tx, child, rows, new Date(parts.clock.now()));
    });
  }
}

async function settle(
  { database, outbox }: Parts,
  mailbox: string,
  holder: string,
  work: (tx: Tx, rows: RequestRow[]) => Promise<void>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockMailboxes(tx, [mailbox]);
    const rows = await lockHeld(tx, mailbox, holder);
    if (rows.length > 0) await work(tx, rows);
  });
  outbox.wake([mailboxTopic(mailbox)]);
}
