import { findGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { toGroup } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const getGroup =
  (context: Context): GroupsHandlers['getGroup'] =>
  async (request, { caller }) =>
    toGroup(await findGroup(context, request.id, caller), context.clock.now());
