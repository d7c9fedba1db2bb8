import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { lockPerson } from '../../shared/db/people.ts';
import { askDeletion } from '../actions/deletion.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { mayEndAccount } from '../domain/callers.ts';
import { checkConfirm, requireFreshSignIn } from '../domain/deletion.ts';

/** Schedules the deletion of an account; a repeated call returns the same time. */
export const deleteAccount =
  (context: Context): UnaryHandler<typeof PeopleService.method.deleteAccount> =>
  async (request, call) => {
    const { clock, commit, people } = context;
    const { caller } = call;
    const facts = await visiblePerson(context, request.id, call);
    if (mayEndAccount(caller, facts) !== 'holder') requireFreshSignIn(caller, clock.now());
    checkConfirm(request.confirm, facts.handle);
    const { deletesAt } = await commit(async (tx) => {
      const person = await lockPerson(tx, facts.id);
      if (person === null) throw notFound();
      mayEndAccount(caller, people.toFacts(person));
      return await askDeletion(context, tx, person, caller);
    });
    return { deletesAt: timestampFromDate(deletesAt) };
  };
