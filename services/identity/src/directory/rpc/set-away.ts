import { timestampDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import { actingPerson, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { updateAway } from '../../shared/db/ai-changes.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { aiChanged } from '../../shared/domain/ai-events.ts';
import { switchedOff } from '../../shared/domain/calling-ai.ts';
import { cardTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { updatePersonAway } from '../db/person-away.ts';
import { type AwayState, readAway, sameAway } from '../domain/away.ts';
import { toAway } from '../domain/card-content.ts';

/** Says that the caller is away until a moment, or back: an AI for itself, a person for themselves. */
export function setAway(context: Context): UnaryHandler<typeof IdentityService.method.setAway> {
  const { clock, limits } = context;
  const awayLimits = {
    days: limits.size('away_days'),
    noteCharacters: limits.size('away_note_characters'),
  };
  return async (request, { caller }) => {
    const now = nowDate(clock);
    const until = request.until === undefined ? null : timestampDate(request.until);
    const wanted = readAway(until, request.note, awayLimits, now);
    const address =
      caller.kind === callerKinds.AI
        ? await setAiAway(context, caller, wanted, now)
        : await setPersonAway(context, actingPerson(caller), wanted);
    return { address, away: toAway(wanted, 'whole', now) };
  };
}

async function setAiAway(
  { database, outbox }: Context,
  caller: Caller,
  wanted: AwayState,
  now: Date,
): Promise<string> {
  const { address, rows } = await database.transaction(async (tx) => {
    const ai = await lockAi(tx, caller.id);
    if (ai === null || ai.revokedAt !== null) throw switchedOff();
    if (sameAway(ai, wanted, now)) return { address: ai.address, rows: [] };
    await updateAway(tx, ai.id, wanted);
    const announced = [aiChanged(outbox, ai, ['away'], caller)];
    await outbox.announce(tx, announced);
    return { address: ai.address, rows: announced };
  });
  outbox.committed(rows);
  return address;
}

/** Being away is nothing that apps or other homes are told of a person, so that only who looks is woken. */
async function setPersonAway(
  { database, outbox }: Context,
  person: string,
  wanted: AwayState,
): Promise<string> {
  const address = await database.transaction(async (tx) => {
    const row = await lockPerson(tx, person);
    if (row === null) throw notFound();
    await updatePersonAway(tx, person, wanted);
    return `@${row.handle}`;
  });
  outbox.wake([cardTopic(person)]);
  return address;
}
