import { nowDate } from '@hearth/clock';
import { badRequest, forbidden, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { findPeopleByIds, lockPerson } from '../../shared/db/people.ts';
import { standingOf } from '../../shared/domain/standing.ts';
import { changePerson } from '../actions/change-person.ts';
import type { Context } from '../context.ts';
import { lockAppLink, updateAnswer } from '../db/app-links.ts';
import { findAppMinors, findAppNames } from '../db/person-apps.ts';
import { requireOwnFreshSignIn } from '../domain/callers.ts';
import { checkMinorsAllowed } from '../domain/guardianship.ts';

/** Records the answer, by the person or their guardian, to an app that asked to hold the account. */
export const answerLink =
  (context: Context): UnaryHandler<typeof PeopleService.method.answerLink> =>
  async ({ app, accept, person: id }, { caller }) => {
    if (caller.kind !== callerKinds.PERSON)
      throw forbidden('only the person can answer this', { needsPerson: true });
    await context.commit(async (tx) => {
      const person = await lockPerson(tx, id ?? caller.id);
      if (person === null) throw notFound();
      const facts = context.people.toFacts(person);
      mayAnswer(caller, facts);
      if (accept) requireOwnFreshSignIn(caller, context.clock.now());
      const link = await lockAppLink(tx, app, person.id);
      if (link === null) throw notFound();
      if (link.answeredAt !== null) {
        if (link.accepted === accept) return;
        throw badRequest('this was answered already; the app can ask again', { code: 'already_settled' });
      }
      await updateAnswer(tx, link, accept, nowDate(context.clock));
      if (!accept || person.app === app) return;
      const minors = await findAppMinors(tx, app);
      if (minors === null) throw badRequest('the app that asked is no more', { code: 'not_waiting' });
      if (isMinor(facts)) checkMinorsAllowed(minors);
      // The previous app's id of the person means nothing to the new app.
      const names = await findAppNames(tx, [app]);
      // For a child, the guardian is notified instead.
      const [told = person] = caller.id === person.id ? [] : await findPeopleByIds(tx, [caller.id]);
      await tellByMail(context, tx, told, 'app_holds', names.get(app) ?? '');
      const moved = { app, externalId: null };
      await changePerson(context, tx, person, moved, { changed: ['app'], by: caller });
    });
    return {};
  };

/**
 * @throws not_found unless the caller is the person or their guardian; forbidden for a minor who has a
 * guardian
 */
function mayAnswer(caller: Caller, facts: PersonFacts): void {
  const standing = standingOf(caller, facts);
  if (standing === 'guardian') return;
  if (standing !== 'self') throw notFound();
  if (facts.guardians.length > 0) {
    throw forbidden('your guardian answers this for you', { code: 'guardian_needed' });
  }
}
