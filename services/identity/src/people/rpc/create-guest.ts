import { badField } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { beginSession } from '../../shared/actions/begin-session.ts';
import { recordPersonCreated } from '../../shared/actions/metrics.ts';
import { ageOf, readBirthMonth } from '../../shared/domain/age-band.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { readTimeZone } from '../../shared/domain/time-zone.ts';
import { makePerson, type Newcomer } from '../actions/make-person.ts';
import type { Context } from '../context.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { checkGuardianGiven, checkMinorsAllowed } from '../domain/guardianship.ts';

/** Creates and signs in a person who joins a group by name only. The app that made the group holds them. */
export const createGuest =
  (context: Context): UnaryHandler<typeof PeopleService.method.createGuest> =>
  async ({ id, name, birthYearMonth, app, timeZone }, { caller }) => {
    const { ages, config, database, people } = context;
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
      timeZone: timeZone === '' ? config.timeZone : readTimeZone(timeZone),
      locale: '',
      language: caller.language,
    };
    const made = await makePerson(context, newcomer, { by: caller });
    if (made !== null) recordPersonCreated({ minor: age.band !== 'adult', guest: true });
    const facts = made ?? (await people.find(id));
    if (facts === null) throw badField('id', 'the guest of that id was deleted');
    const { token } = await database.statement((tx) => beginSession(context, tx, id, ''));
    return { facts, sessionToken: token };
  };
