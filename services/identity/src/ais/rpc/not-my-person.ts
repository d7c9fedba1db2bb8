import { nowDate } from '@hearth/clock';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { recordUndoneClaim } from '../../shared/actions/metrics.ts';
import { findAi, lockAi } from '../../shared/db/ais.ts';
import { claimWasUndone } from '../../shared/domain/ai-events.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { requireUndoable } from '../../shared/domain/claim.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { appsOf } from '../actions/managed-ai.ts';
import { releaseLocked } from '../actions/part-with-ais.ts';
import type { Context } from '../context.ts';

/** Undoes a claim by link within a day, at the AI's own request. */
export const notMyPerson =
  (context: Context): UnaryHandler<typeof AisService.method.notMyPerson> =>
  async (_request, { caller }) => {
    const { claimLinks, clock, commit, database, people } = context;
    const id = callingAi(caller);
    const before = await findAi(database.db, id);
    const owner = before?.owner ? await people.find(before.owner) : null;
    const ai = await commit(async (tx) => {
      const present = await lockAi(tx, id);
      if (present === null || present.revokedAt !== null) throw switchedOff();
      requireUndoable(present, nowDate(clock));
      const apps = present.owner === owner?.id ? appsOf(present, owner) : [];
      const released = await releaseLocked(context, tx, present, { apps, by: caller, why: 'not_my_person' });
      tx.announce(claimWasUndone(released, present.owner!, apps));
      return released;
    });
    recordUndoneClaim();
    return { address: ai.address, claimLink: claimLinks.linkOf(id, ai.claimVersion), ai: toAi(ai) };
  };
