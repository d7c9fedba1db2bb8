import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { seenPerson } from '../actions/seen-person.ts';
import type { PeopleContext } from '../context.ts';

/** A person, as the caller may see them. */
export function getPerson(context: PeopleContext): UnaryHandler<typeof PeopleService.method.getPerson> {
  return async ({ id }, call) => context.lookups.show(await seenPerson(context, id, call), call.caller);
}
