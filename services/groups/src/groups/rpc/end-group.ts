import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { archive } from '../actions/archive.ts';
import type { Context } from '../context.ts';

export const endGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.endGroup> =>
  (request, { caller }) =>
    archive(context, request, caller, 'ended');
