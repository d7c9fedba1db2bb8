import { nowDate } from '@hearth/clock';
import { badRequest, notFound } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { lockPerson, updateDeletesAt } from '../../shared/db/people.ts';
import { appsConcerned } from '../actions/change-person.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { mayEndAccount } from '../domain/callers.ts';
import { canBeTakenBack } from '../domain/deletion.ts';
import { deletionTakenBack } from '../domain/events.ts';

/** Takes a deletion back. An account that is not to go stays as it is. */
export const keepAccount =
  (context: Context): UnaryHandler<typeof PeopleService.method.keepAccount> =>
  async (request, call) => {
    const { clock, commit, people } = context;
    const { caller } = call;
    const { id } = await visiblePerson(context, request.id, call);
    const kept = await commit(async (tx) => {
      const person = await lockPerson(tx, id);
      if (person === null) throw notFound();
      const facts = people.toFacts(person);
      mayEndAccount(caller, facts);
      if (person.deletesAt === null) return facts;
      if (!canBeTakenBack(person.deletesAt, nowDate(clock))) {
        throw badRequest('it is too late: the account is being deleted', { code: 'not_waiting' });
      }
      await updateDeletesAt(tx, id, null);
      tx.announce(deletionTakenBack(facts, await appsConcerned(tx, person), caller));
      return people.toFacts({ ...person, deletesAt: null });
    });
    return people.show(kept, caller);
  };
