import { isHandle } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { findPersonByEmail } from '../../shared/db/person-emails.ts';
import type { Context } from '../context.ts';

const most = 500;

/** Facts of people for other services; none for an account that was deleted. */
export const findPeople =
  ({ database, people }: Context): UnaryHandler<typeof PeopleService.method.findPeople> =>
  async ({ ids, handles, emails }) => {
    if (ids.length + handles.length + emails.length > most)
      throw badField('ids', `must be at most ${most}, with handles and emails`);
    const byEmail = async (email: string) => {
      const id = await findPersonByEmail(database.db, email);
      return id === null ? null : await people.find(id);
    };
    const found = await Promise.all([
      ...ids.map((id) => (isUuid(id) ? people.find(id) : null)),
      ...handles.map((handle) => (isHandle(handle) ? people.byHandle(handle) : null)),
      ...emails.map(byEmail),
    ]);
    return { results: found.map((facts) => (facts === null ? {} : { facts })) };
  };
