import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listContacts as readContacts } from '../db/contacts.ts';

const most = 200;

/** The owner's correspondents, without strangers that the owner never answered. */
export const listContacts =
  ({ database }: Context): UnaryHandler<typeof MessagesService.method.listContacts> =>
  async ({ owner }) => {
    const rows = await readContacts(database.db, owner, most);
    return { contacts: rows.map(({ lastAt, ...rest }) => ({ ...rest, lastAt: timestampFromDate(lastAt) })) };
  };
