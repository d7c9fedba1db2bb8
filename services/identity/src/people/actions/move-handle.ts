import { day, nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { internal } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { endAddress, takeAddress } from '../../shared/db/addresses.ts';
import { lockLiveAisOf } from '../../shared/db/ais.ts';
import type { PersonRow } from '../../shared/db/people.ts';
import { aiChanged } from '../../shared/domain/ai-events.ts';
import { handleTaken } from '../../shared/domain/handle-choice.ts';
import type { Context } from '../context.ts';
import { endPersonAddress, takePersonAddress } from '../db/person-addresses.ts';
import { updateAiAddress } from '../db/person-ais.ts';
import { movedAddress, numberedAddress } from '../domain/moved-address.ts';

const addressTries = 200;

/**
 * Moves the addresses of a person (locked by `tx`) and their AIs to another handle; the old ones keep working
 * for a while.
 *
 * @throws bad_field if the handle is, or was, someone else's
 */
export async function moveHandle(
  { clock, limits }: Pick<Context, 'clock' | 'limits'>,
  tx: UnitOfWork,
  { id, handle: from }: PersonRow,
  to: string,
  by: Caller,
): Promise<void> {
  const now = nowDate(clock);
  const oldEndsAt = new Date(now.getTime() + sizeOf(limits, 'old_handle_days') * day);
  if (!(await takePersonAddress(tx, `@${to}`, id, now))) throw handleTaken(to);
  await endPersonAddress(tx, `@${from}`, id, oldEndsAt);
  for (const ai of await lockLiveAisOf(tx, id)) {
    const wanted = movedAddress(ai.address, from, to);
    if (wanted === null) continue;
    const address = await takeNumbered(tx, ai.id, wanted, now);
    await updateAiAddress(tx, ai.id, address);
    await endAddress(tx, ai.address, ai.id, oldEndsAt);
    tx.announce(aiChanged({ ...ai, address }, ['address'], by));
  }
}

/** Takes the wanted address, numbered if another AI of the person had it. */
async function takeNumbered(tx: Tx, ai: string, wanted: string, now: Date): Promise<string> {
  for (let number = 1; number <= addressTries; number += 1) {
    const address = number === 1 ? wanted : numberedAddress(wanted, number);
    if (await takeAddress(tx, address, ai, now)) return address;
  }
  throw internal(`no address is left near ${wanted}`);
}
