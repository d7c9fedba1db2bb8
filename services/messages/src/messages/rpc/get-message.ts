import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { findMessage } from '../../shared/db/messages.ts';
import { nameHere } from '../actions/name-here.ts';
import { showSides } from '../actions/show-sides.ts';
import type { Context } from '../context.ts';
import { sidesOf, toMessage } from '../domain/to-proto.ts';

export const getMessage =
  (context: Context): UnaryHandler<typeof MessagesService.method.getMessage> =>
  async (request, { caller }) => {
    const viewer = caller.id;
    const id = parseId('msg', (await nameHere(context, request, viewer)).id);
    const row = id === null ? null : await findMessage(context.database.db, viewer, id);
    if (row === null) throw notFound();
    return toMessage(row, caller.id, await showSides(context, sidesOf(row), caller));
  };
