import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day, nowDate } from '@hearth/clock';
import type { CountedBy } from '@hearth/limits';
import type { UsesService } from '@hearth/proto/gateway/v1/uses';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countSubscriptions } from '../db/subscriptions.ts';

/** Returns how much an AI has used of each limit that delivery counts. */
export const countUses =
  ({ clock, database }: Context): UnaryHandler<typeof UsesService.method.countUses> =>
  async (_request, { caller }) => {
    if (caller.kind !== callerKinds.AI) return { uses: [] };
    const now = nowDate(clock);
    const since = new Date(now.getTime() - day);
    const asked = { ai: caller.id, besides: null, now, since };
    const { active, started, oldestStart } = await countSubscriptions(database.db, asked);
    const counts: Record<CountedBy<'delivery'>, object> = {
      subscriptions_at_once: { count: active },
      subscriptions_a_day: {
        count: started,
        resetsAt: timestampFromMs((oldestStart ?? now).getTime() + day),
      },
    };
    return { uses: Object.entries(counts).map(([limit, uses]) => ({ limit, ...uses })) };
  };
