import { isHandle } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { findPeopleByEmail } from '../../shared/db/person-emails.ts';
import type { Context } from '../context.ts';

const most = 500;

/** Facts of people for other services; none for an account that was deleted. */
export const findPeople =
  ({ database, people }: Context): UnaryHandler<typeof PeopleService.method.findPeople> =>
  async ({ ids, handles, emails }) => {
    if (ids.length + handles.length + emails.length > most)
      throw badField('ids', `must be at most ${most}, with handles and emails`);
    const byEmail = async () => {
      const owners = emails.length === 0 ? null : await findPeopleByEmail(database.db, emails);
      return await Promise.all(
        emails.map((email) => {
          const id = owners?.get(email);
          return id === undefined ? null : people.find(id);
        }),
      );
    };
    const found = await Promise.all([
      Promise.all(ids.map((id) => (isUuid(id) ? people.find(id) : null))),
      Promise.all(handles.map((handle) => (isHandle(handle) ? people.byHandle(handle) : null))),
      byEmail(),
    ]);
    return { results: found.flat().map((facts) => (facts === null ? {} : { facts })) };
  };
