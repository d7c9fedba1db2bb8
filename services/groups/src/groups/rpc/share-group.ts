import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { shareGroups } from '../db/belonging.ts';

const mostPairs = 500;

/** Tells for each pair whether they share an active group. A person shares with themselves. */
export const shareGroup =
  ({ clock, database }: Context): UnaryHandler<typeof GroupsService.method.shareGroup> =>
  async ({ pairs }) => {
    if (pairs.length > mostPairs)
      throw badField('pairs', `at most ${mostPairs} at once; got ${pairs.length}`);
    const asked = pairs.filter(({ one, other }) => one !== other && isUuid(one) && isUuid(other));
    const shared =
      asked.length === 0
        ? []
        : await shareGroups(
            database.db,
            asked.map(({ one }) => one),
            asked.map(({ other }) => other),
            new Date(clock.now()),
          );
    const answers = new Map(asked.map((pair, index) => [pair, shared[index] ?? []]));
    return {
      share: pairs.map((pair) => {
        const groups = answers.get(pair);
        return groups === undefined ? pair.one === pair.other && isUuid(pair.one) : groups.length > 0;
      }),
      shared: pairs.map((pair) => ({ groups: answers.get(pair) ?? [] })),
    };
  };
