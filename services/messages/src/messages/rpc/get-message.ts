import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { Context } from '../context.ts';
import { findMessage } from '../db/messages.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { sidesOf, toMessage } from '../domain/to-proto.ts';
import type { MessagesHandlers } from './index.ts';

export const getMessage =
  ({ database, shownPeople }: Context): MessagesHandlers['getMessage'] =>
  async (request, { caller }) => {
    const id = parseId('msg', request.id);
    const row = id === null ? null : await findMessage(database.db, mailboxOf(caller), id);
    if (row === null) throw notFound();
    return toMessage(row, caller.id, await shownPeople.to(caller, sidesOf(row)));
  };
