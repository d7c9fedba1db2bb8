import type { Context } from '../../context.ts';
import { findGroup } from '../find-group.ts';
import { toGroup } from '../to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const getGroup =
  (context: Context): GroupsHandlers['getGroup'] =>
  async (request, { caller }) =>
    toGroup(await findGroup(context, request.id, caller), context.clock.now());
