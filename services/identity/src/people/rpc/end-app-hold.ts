import { notFound } from '@hearth/errors';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { findPeopleByIds, lockPerson } from '../../shared/db/people.ts';
import { requireStanding } from '../../shared/domain/standing.ts';
import { changePerson } from '../actions/change-person.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { findAppNames } from '../db/person-apps.ts';
import { requireOwnFreshSignIn } from '../domain/callers.ts';

/** Ends an app's hold on an account, which then relies on the person's own sign-in. Idempotent. */
export const endAppHold =
  (context: Context): UnaryHandler<typeof PeopleService.method.endAppHold> =>
  async (request, call) => {
    const { clock, commit, people } = context;
    const { caller } = call;
    const facts = await visiblePerson(context, request.id, call);
    mayLeave(caller, facts);
    requireOwnFreshSignIn(caller, clock.now());
    const left = await commit(async (tx) => {
      const person = await lockPerson(tx, facts.id);
      if (person === null) throw notFound();
      mayLeave(caller, people.toFacts(person));
      if (person.app === null) return people.toFacts(person);
      const names = await findAppNames(tx, [person.app]);
      // For a child, the guardian is notified instead.
      const [told = person] = caller.id === person.id ? [] : await findPeopleByIds(tx, [caller.id]);
      await tellByMail(context, tx, told, 'app_let_go', names.get(person.app) ?? '');
      const alone = { app: null, externalId: null };
      return await changePerson(context, tx, person, alone, { changed: ['app'], by: caller });
    });
    return people.show(left, caller);
  };

/** @throws forbidden unless the caller is the person (of 13 or older) or their guardian */
function mayLeave(caller: Caller, facts: PersonFacts): void {
  const child = facts.ageBand === AgeBand.CHILD;
  const words = child
    ? 'only the guardian of a child can end the hold of an app'
    : 'only the person themselves, or their guardian, can end the hold of an app';
  requireStanding(caller, facts, child ? ['guardian'] : ['self', 'guardian'], words);
}
