import type { Context } from '../context.ts';
import { archive } from './archive-group.ts';
import type { GroupsHandlers } from './index.ts';

export const endGroup =
  (context: Context): GroupsHandlers['endGroup'] =>
  (request, { caller }) =>
    archive(context, request.id, caller, 'ended');
