import { timestampDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
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

/** Sets the caller's away state: an AI's own, or a person's. */
export const setAway =
  ({ clock, commit, limits }: Context): UnaryHandler<typeof IdentityService.method.setAway> =>
  async (request, { caller }) => {
    const now = nowDate(clock);
    const until = request.until === undefined ? null : timestampDate(request.until);
    const bounds = {
      days: sizeOf(limits, 'away_days'),
      noteCharacters: sizeOf(limits, 'away_note_characters'),
    };
    const wanted = readAway(until, request.note, bounds, now);
    const address = await commit((tx) =>
      caller.kind === callerKinds.AI
        ? setAiAway(tx, caller, wanted, now)
        : setPersonAway(tx, actingPerson(caller), wanted),
    );
    return { address, away: toAway(wanted, 'whole', now) };
  };

async function setAiAway(tx: UnitOfWork, caller: Caller, wanted: AwayState, now: Date): Promise<string> {
  const ai = await lockAi(tx, caller.id);
  if (ai === null || ai.revokedAt !== null) throw switchedOff();
  if (sameAway(ai, wanted, now)) return ai.address;
  await updateAway(tx, ai.id, wanted);
  tx.announce(aiChanged(ai, ['away'], caller));
  return ai.address;
}

/** Apps and other homes do not learn that a person is away: only requests waiting for the card are woken. */
async function setPersonAway(tx: UnitOfWork, person: string, wanted: AwayState): Promise<string> {
  const row = await lockPerson(tx, person);
  if (row === null) throw notFound();
  await updatePersonAway(tx, person, wanted);
  tx.wake(cardTopic(person));
  return `@${row.handle}`;
}
