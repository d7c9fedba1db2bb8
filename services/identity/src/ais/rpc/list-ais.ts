import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { cursorOf, readPage } from '@hearth/paging';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { type AiRow, type Holder, listLiveAis } from '../../shared/db/ais.ts';
import { listLiveKeys } from '../../shared/db/keys.ts';
import { undoUntil } from '../../shared/domain/claim.ts';
import { utcDay } from '../../shared/domain/description.ts';
import { toAi, toKey } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';
import { lastSeen } from '../domain/last-seen.ts';

/**
 * The AIs of the caller's person, or of the people that the calling app holds, without those switched off.
 */
export const listAis =
  (context: Context): UnaryHandler<typeof AisService.method.listAis> =>
  async (request, { caller }) => {
    const { clock, database } = context;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: cursorOf({ id: 'uuid' }),
      find: (before, limit) => listLiveAis(database.db, holderOf(caller), before?.id ?? null, limit),
      placeOf: ({ id }) => ({ id }),
    });
    const now = nowDate(clock);
    const withKeys = rows.filter((ai) => seesKeys(caller, ai)).map(({ id }) => id);
    const keys = Map.groupBy(await listLiveKeys(database.db, withKeys, now), ({ ai }) => ai);
    return {
      ais: rows.map((ai) => {
        const until = undoUntil(ai, now);
        const seen = lastSeen(ai);
        return {
          ai: toAi(ai),
          keys: (keys.get(ai.id) ?? []).map(toKey),
          ...(seen !== null && { lastSeen: utcDay(seen) }),
          ...(until !== null && { undoUntil: timestampFromDate(until) }),
        };
      }),
      nextCursor,
    };
  };

function holderOf({ kind, id, person }: Caller): Holder {
  if (kind === callerKinds.APP) return { app: id };
  if (kind === callerKinds.PERSON) return { owner: id };
  return person === '' ? { ai: id } : { owner: person };
}

/** An AI sees its own keys only, not the keys of its owner's other AIs. */
function seesKeys({ kind, id }: Caller, ai: AiRow): boolean {
  return kind !== callerKinds.AI || ai.id === id;
}
