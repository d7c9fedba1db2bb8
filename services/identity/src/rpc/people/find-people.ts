import { isHandle } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import type { PeopleContext } from '../../people-context.ts';

const most = 500;

/** What other services need to know of people. Whose account was deleted is nobody. */
export function findPeople({ lookups }: PeopleContext): UnaryHandler<typeof PeopleService.method.findPeople> {
  return async ({ ids, handles }) => {
    if (ids.length + handles.length > most) throw badField('ids', `must be at most ${most}, with handles`);
    const found = await Promise.all([
      ...ids.map((id) => (isUuid(id) ? lookups.find(id) : null)),
      ...handles.map((handle) => (isHandle(handle) ? lookups.byHandle(handle) : null)),
    ]);
    return { results: found.map((facts) => (facts === null ? {} : { facts })) };
  };
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
