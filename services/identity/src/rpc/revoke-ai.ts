import { cleanLine } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { lockAi, updateRevoked } from '../db/ais.ts';
import { endKeys } from '../db/keys.ts';
import { aiRevoked } from '../events/announce.ts';
import { credentialsChanged } from '../events/credentials.ts';
import { recordRevocation } from '../metrics.ts';
import { toAi } from './to-proto.ts';
import { namedAi } from './viewer.ts';

/** Switches an AI off for good, at its own or the operator's word. Repeated, it answers the same. */
export function revokeAi(context: Context): UnaryHandler<typeof IdentityService.method.revokeAi> {
  const { bus, clock, database, outbox } = context;
  return async (request, call) => {
    const id = namedAi(call.caller, request.id);
    if (!mayRevoke(call.caller, id)) throw notFound();
    const reason = cleanLine(request.reason ?? '');
    const { ai, rows } = await database.transaction(async (tx) => {
      const present = await lockAi(tx, id);
      if (present === null) throw notFound();
      if (present.revokedAt !== null) return { ai: present, rows: [] };
      const now = nowDate(clock);
      await updateRevoked(tx, id, reason, now);
      await endKeys(tx, id, now);
      const announced = [aiRevoked(outbox, id, reason)];
      await outbox.announce(tx, announced);
      return { ai: { ...present, revokedAt: now }, rows: announced };
    });
    outbox.committed(rows);
    if (rows.length > 0)
      recordRevocation({ by: call.caller.kind === callerKinds.OPERATOR ? 'operator' : 'itself' });
    // Also when repeated: a gateway that missed the first signal hears this one.
    credentialsChanged(bus, id);
    return toAi(ai);
  };
}

function mayRevoke(caller: Caller, ai: string): boolean {
  return caller.kind === callerKinds.OPERATOR || (caller.kind === callerKinds.AI && caller.id === ai);
}
