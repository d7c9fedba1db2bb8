import { timestampDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { lockAi, updateAway } from '../db/ais.ts';
import { readAway, sameAway } from '../domain/away.ts';
import { aiChanged } from '../events/announce.ts';
import { toAway } from './to-proto.ts';
import { callingAi, switchedOff } from './viewer.ts';

/** Says that the calling AI is away until a moment, or that it is back. */
export function setAway({
  clock,
  database,
  limits,
  outbox,
}: Context): UnaryHandler<typeof IdentityService.method.setAway> {
  const awayLimits = {
    days: limits.size('away_days'),
    noteCharacters: limits.size('away_note_characters'),
  };
  return async (request, call) => {
    const id = callingAi(call.caller);
    const now = nowDate(clock);
    const until = request.until === undefined ? null : timestampDate(request.until);
    const wanted = readAway(until, request.note, awayLimits, now);
    const { address, rows } = await database.transaction(async (tx) => {
      const ai = await lockAi(tx, id);
      if (ai === null || ai.revokedAt !== null) throw switchedOff();
      if (sameAway(ai, wanted, now)) return { address: ai.address, rows: [] };
      await updateAway(tx, id, wanted);
      const announced = [aiChanged(outbox, id, ['away'])];
      await outbox.announce(tx, announced);
      return { address: ai.address, rows: announced };
    });
    outbox.committed(rows);
    return { address, away: toAway(wanted, 'self', now) };
  };
}
