import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Context } from '../context.ts';
import { findMessage } from '../db/messages.ts';
import type { MessagesHandlers } from './index.ts';
import { toMessage } from './to-proto.ts';

export const getMessage =
  ({ database }: Context): MessagesHandlers['getMessage'] =>
  async (request, { caller }) => {
    const id = parseId('msg', request.id);
    const row = id === null ? null : await findMessage(database.db, caller.id, id);
    if (row === null) throw notFound();
    return toMessage(row, caller.id);
  };
