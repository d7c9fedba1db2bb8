import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { toGroup } from '../domain/to-proto.ts';

export const getGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.getGroup> =>
  async (request, { caller }) =>
    toGroup(await findGroup(context, request.id, caller), context.clock.now());
