import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { type AiRow, type Holder, listLiveAis } from '../../shared/db/ais.ts';
import { listLiveKeys } from '../../shared/db/keys.ts';
import { undoUntil } from '../../shared/domain/claim.ts';
import { utcDay } from '../../shared/domain/description.ts';
import { toAi, toAiKey } from '../../shared/domain/to-proto.ts';

const usualPage = 20;

/** The AIs of the caller's person, or of the people that the calling app holds; those that are not switched off. */
export function listAis({
  clock,
  database,
  limits,
}: Context): UnaryHandler<typeof AisService.method.listAis> {
  return async (request, { caller }) => {
    const limit = Math.min(request.limit ?? usualPage, limits.size('page_entries'));
    const found = await listLiveAis(
      database.db,
      holderOf(caller),
      request.cursor === undefined ? null : readCursor(request.cursor),
      limit + 1,
    );
    const page = found.slice(0, limit);
    const now = nowDate(clock);
    const keys = Map.groupBy(
      await listLiveKeys(
        database.db,
        page.filter((ai) => seesKeys(caller, ai)).map(({ id }) => id),
        now,
      ),
      ({ ai }) => ai,
    );
    const last = page.at(-1);
    return {
      ais: page.map((ai) => {
        const until = undoUntil(ai, now);
        const seen = lastSeen(ai);
        return {
          ai: toAi(ai),
          keys: (keys.get(ai.id) ?? []).map(toAiKey),
          ...(seen !== null && { lastSeen: utcDay(seen) }),
          ...(until !== null && { undoUntil: timestampFromDate(until) }),
        };
      }),
      ...(found.length > limit && last !== undefined && { nextCursor: printCursor(last) }),
    };
  };
}

function holderOf({ kind, id, person }: Caller): Holder {
  if (kind === callerKinds.APP) return { app: id };
  if (kind === callerKinds.PERSON) return { owner: id };
  return person === '' ? { ai: id } : { owner: person };
}

/** One AI of a person is not told of another's keys. */
function seesKeys({ kind, id }: Caller, ai: AiRow): boolean {
  return kind !== callerKinds.AI || ai.id === id;
}

function lastSeen({ waitedAt, checkedAt }: AiRow): Date | null {
  const latest = Math.max(waitedAt?.getTime() ?? 0, checkedAt?.getTime() ?? 0);
  return latest === 0 ? null : new Date(latest);
}

/** Ids are in the order of time. */
function printCursor({ id }: AiRow): string {
  return Buffer.from(printId('ai', id)).toString('base64url');
}

function readCursor(text: string): string {
  const id = parseId('ai', Buffer.from(text, 'base64url').toString());
  if (id === null) throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  return id;
}
