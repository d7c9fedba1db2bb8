import { notFound } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { lockPerson } from '../../shared/db/people.ts';
import { takeDeletionBack } from '../actions/deletion.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { mayEndAccount } from '../domain/callers.ts';

/** Cancels the pending deletion of an account, if any. */
export const keepAccount =
  (context: Context): UnaryHandler<typeof PeopleService.method.keepAccount> =>
  async (request, call) => {
    const { commit, people } = context;
    const { caller } = call;
    const { id } = await visiblePerson(context, request.id, call);
    const kept = await commit(async (tx) => {
      const person = await lockPerson(tx, id);
      if (person === null) throw notFound();
      mayEndAccount(caller, people.toFacts(person));
      return people.toFacts(await takeDeletionBack(context, tx, person, caller));
    });
    return people.show(kept, caller);
  };
