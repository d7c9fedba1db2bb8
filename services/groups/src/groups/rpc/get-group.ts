import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../actions/find-elsewhere.ts';
import { findGroup } from '../actions/find-group.ts';
import { showCopy } from '../actions/home-groups.ts';
import type { Context } from '../context.ts';
import { toGroup } from '../domain/to-proto.ts';

export const getGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.getGroup> =>
  async (request, { caller }) => {
    const elsewhere = await findElsewhere(context, request.id, caller);
    if (elsewhere !== null) return showCopy(elsewhere.copy, elsewhere.address);
    return toGroup(await findGroup(context, request.id, caller), context.clock.now());
  };
