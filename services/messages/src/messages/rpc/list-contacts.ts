import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Context } from '../context.ts';
import { listContacts as readContacts } from '../db/contacts.ts';
import type { MessagesHandlers } from './index.ts';

const most = 200;

/** Whom somebody writes with. Strangers whom they never answered are none of them. */
export const listContacts =
  ({ database }: Context): MessagesHandlers['listContacts'] =>
  async ({ owner }) => {
    const rows = await readContacts(database.db, owner, most);
    return { contacts: rows.map(({ lastAt, ...rest }) => ({ ...rest, lastAt: timestampFromDate(lastAt) })) };
  };
