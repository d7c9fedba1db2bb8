import { nowDate } from '@hearth/clock';
import { badRequest } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { recordPersonCreated } from '../../shared/actions/metrics.ts';
import { guestSessionMs, newSessionToken } from '../../shared/actions/session-token.ts';
import { insertSession } from '../../shared/db/sessions.ts';
import { ageOf, readBirthMonth } from '../../shared/domain/age-band.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { makePerson, type Newcomer } from '../actions/make-person.ts';
import type { PeopleContext } from '../context.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { checkGuardianGiven, checkMinorsAllowed } from '../domain/guardianship.ts';

/** Makes somebody who joins a group with a name alone, held by the app that made the group, and signs them in. */
export function createGuest(context: PeopleContext): UnaryHandler<typeof PeopleService.method.createGuest> {
  const { ages, clock, database, ids, lookups, timeZone } = context;
  return async ({ id, name, birthYearMonth, app }, { caller }) => {
    const birth = readBirthMonth(birthYearMonth, ages.today());
    const age = ageOf({ birth, band: null }, ages.today());
    if (age.band !== 'adult') checkMinorsAllowed(app === '' ? null : await findAppMinors(database.db, app));
    checkGuardianGiven(age, ages.consentAge(''), false);
    const newcomer: Newcomer = {
      id,
      name: readPersonName(name),
      handle: null,
      birth,
      ageBand: age.band,
      ageSource: 'self',
      guardian: null,
      guest: true,
      app: app === '' ? null : app,
      externalId: null,
      timeZone,
      locale: '',
    };
    const made = await makePerson(context, newcomer, { by: caller });
    if (made !== null) recordPersonCreated({ minor: age.band !== 'adult', guest: true });
    const facts = made ?? (await lookups.find(id));
    if (facts === null) throw badRequest('id: the guest of that id was deleted');

    const token = newSessionToken(ids);
    const now = nowDate(clock);
    const session = {
      id: ids.uuid(),
      person: id,
      hash: token.hash,
      authenticatedAt: null,
      proof: '' as const,
      endsAt: new Date(now.getTime() + guestSessionMs),
    };
    await database.statement((tx) => insertSession(tx, session, now));
    return { facts, sessionToken: token.text };
  };
}
