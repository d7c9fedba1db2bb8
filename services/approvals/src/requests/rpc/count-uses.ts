import type { CountedBy } from '@hearth/limits';
import type { UsesService } from '@hearth/proto/gateway/v1/uses';
import { callerKinds, personOf, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { countBlocks } from '../db/blocks.ts';

/** The caller's usage of the limits that approvals counts. An app by itself blocks no one. */
export const countUses =
  ({ database }: Context): UnaryHandler<typeof UsesService.method.countUses> =>
  async (_request, { caller }) => {
    if (caller.kind === callerKinds.APP) return { uses: [] };
    const limit: CountedBy<'approvals'> = 'blocks_at_once';
    return { uses: [{ limit, count: await countBlocks(database.db, personOf(caller) ?? caller.id) }] };
  };
