import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import type { CountedBy } from '@hearth/limits';
import type { UsesService } from '@hearth/proto/gateway/v1/uses';
import { type Caller, callerKinds, personOf, type UnaryHandler } from '@hearth/rpc';
import { countLiveAisOf, findAi } from '../../shared/db/ais.ts';
import { countNotes } from '../../shared/db/notes.ts';
import { countVouchesOf } from '../../shared/db/vouches.ts';
import { changesToday, nextMidnight } from '../../shared/domain/description.ts';
import type { Context } from '../context.ts';

/** null if the limit does not apply to the caller. */
type Count = (
  context: Context,
  caller: Caller,
  now: Date,
) => Promise<{ count: number; resetsAt?: Date } | null>;

const ofPerson =
  (count: (db: Context['database']['db'], person: string, now: Date) => Promise<number>): Count =>
  async ({ database }, caller, now) => {
    const person = personOf(caller);
    return person === null ? null : { count: await count(database.db, person, now) };
  };

const counts: Record<CountedBy<'identity'>, Count> = {
  notes_a_person: ofPerson(countNotes),
  vouches_a_person: ofPerson(countVouchesOf),
  ais_a_person: ofPerson(countLiveAisOf),
  async description_changes_a_day({ database }, caller, now) {
    const ai = caller.kind === callerKinds.AI ? await findAi(database.db, caller.id) : null;
    return ai === null ? null : { count: changesToday(ai, now), resetsAt: nextMidnight(now) };
  },
};

/** The caller's usage of the limits that identity counts. */
export const countUses =
  (context: Context): UnaryHandler<typeof UsesService.method.countUses> =>
  async (_request, { caller }) => {
    const now = nowDate(context.clock);
    const uses = await Promise.all(
      Object.entries(counts).map(async ([limit, count]) => {
        const found = await count(context, caller, now);
        return found === null
          ? []
          : [
              {
                limit,
                count: found.count,
                ...(found.resetsAt && { resetsAt: timestampFromDate(found.resetsAt) }),
              },
            ];
      }),
    );
    return { uses: uses.flat() };
  };
