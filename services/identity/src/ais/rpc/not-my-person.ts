import { nowDate } from '@hearth/clock';
import { forbidden } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { recordUndoneClaim } from '../../shared/actions/metrics.ts';
import { findAi, lockAi } from '../../shared/db/ais.ts';
import { claimWasUndone } from '../../shared/domain/ai-events.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { requireUndoable } from '../../shared/domain/claim.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { appsOf } from '../actions/managed-ai.ts';
import { releaseLocked } from '../actions/part-with-ais.ts';

/** Undoes a claim by link of the last day, at the AI's own word. */
export function notMyPerson(context: Context): UnaryHandler<typeof AisService.method.notMyPerson> {
  const { bus, claimLinks, clock, database, outbox, people } = context;
  return async (_request, { caller }) => {
    const id = ownVoice(caller);
    const seen = await findAi(database.db, id);
    const owner = seen?.owner ? await people.find(seen.owner) : null;
    const { ai, rows } = await database.transaction(async (tx) => {
      const present = await lockAi(tx, id);
      if (present === null || present.revokedAt !== null) throw switchedOff();
      requireUndoable(present, nowDate(clock));
      const apps = present.owner === owner?.id ? appsOf(present, owner) : [];
      const released = await releaseLocked(context, tx, present, { apps, by: caller, why: 'not_my_person' });
      const announced = [released.row, claimWasUndone(outbox, released.ai, present.owner!, apps)];
      await outbox.announce(tx, announced);
      return { ai: released.ai, rows: announced };
    });
    outbox.committed(rows);
    credentialsChanged(bus, id);
    recordUndoneClaim();
    return { address: ai.address, claimLink: claimLinks.linkOf(id, ai.claimVersion), ai: toAi(ai) };
  };
}

/**
 * uuid of the AI that calls with a key of its own, or through the app that holds it. A client that signed in as the AI
 * was let in by the claimer: the word is not its to give.
 */
function ownVoice(caller: Caller): string {
  const id = callingAi(caller);
  if (caller.grant !== '') throw forbidden('only the AI itself can say this, with its own key');
  return id;
}
