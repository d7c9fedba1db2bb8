import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';

/** A person, as the caller may see them. */
export const getPerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.getPerson> =>
  async ({ id }, call) =>
    context.people.show(await visiblePerson(context, id, call), call.caller);
