import { isHandle } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { findPersonByEmail } from '../../shared/db/person-emails.ts';
import type { PeopleContext } from '../context.ts';

const most = 500;

/** What other services need to know of people. Whose account was deleted is nobody. */
export function findPeople({
  database,
  lookups,
}: PeopleContext): UnaryHandler<typeof PeopleService.method.findPeople> {
  async function byEmail(email: string) {
    const id = await findPersonByEmail(database.db, email);
    return id === null ? null : await lookups.find(id);
  }

  return async ({ ids, handles, emails }) => {
    if (ids.length + handles.length + emails.length > most)
      throw badField('ids', `must be at most ${most}, with handles and emails`);
    const found = await Promise.all([
      ...ids.map((id) => (isUuid(id) ? lookups.find(id) : null)),
      ...handles.map((handle) => (isHandle(handle) ? lookups.byHandle(handle) : null)),
      ...emails.map(byEmail),
    ]);
    return { results: found.map((facts) => (facts === null ? {} : { facts })) };
  };
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
