import { enumNames } from '@hearth/enum-names';
import { badField, badRequest } from '@hearth/errors';
import {
  AgeSource,
  AgeSourceSchema,
  type CreatePersonRequest,
  PeopleService,
} from '@hearth/proto/identity/v1/people';
import { AgeBand, AgeBandSchema, type Person } from '@hearth/proto/identity/v1/resources';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { recordPersonCreated } from '../../shared/actions/metrics.ts';
import { type AgeBandWord, ageOf, readBirthMonth } from '../../shared/domain/age-band.ts';
import { readHandle } from '../../shared/domain/handle-choice.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { readTimeZone } from '../../shared/domain/time-zone.ts';
import { makePerson, type Newcomer } from '../actions/make-person.ts';
import type { Context } from '../context.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { callingApp } from '../domain/callers.ts';
import { checkGuardianGiven, checkMinorsAllowed } from '../domain/guardianship.ts';

/** Makes a person whom the calling app holds. */
export const createPerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.createPerson> =>
  async (request, call) => {
    const { idempotency, people } = context;
    const { caller } = call;
    const app = callingApp(caller);
    return await idempotency.once(call, PeopleService.method.createPerson, request, {
      async make(claim) {
        const newcomer = await readNewcomer(context, request, app, caller);
        const made = await makePerson(context, newcomer, { by: caller, claim });
        recordPersonCreated({ minor: newcomer.ageBand !== 'adult', guest: newcomer.guest });
        return people.show(made!, caller);
      },
      repeat: ({ person }) => answerAgain(context, person, caller),
    });
  };

async function readNewcomer(
  context: Context,
  request: CreatePersonRequest,
  app: string,
  caller: Caller,
): Promise<Newcomer> {
  const { ages, config, database } = context;
  const name = readPersonName(request.name);
  const today = ages.today();
  const birth = request.birthYearMonth === undefined ? null : readBirthMonth(request.birthYearMonth, today);
  const given = request.ageBand ? (enumNames(AgeBandSchema).nameOf(request.ageBand) as AgeBandWord) : null;
  const age = ageOf({ birth, band: given }, today);
  const locale = request.locale ?? '';
  if (age.band !== 'adult') checkMinorsAllowed(await findAppMinors(database.db, app));
  checkGuardianGiven(age, ages.consentAge(locale), request.guardian !== undefined);
  return {
    name,
    handle: request.handle === undefined ? null : readHandle(request.handle),
    birth,
    ageBand: age.band,
    ageSource: enumNames(AgeSourceSchema).nameOf(request.ageSource || AgeSource.SELF),
    guardian: request.guardian === undefined ? null : await heldAdult(context, request.guardian, app, caller),
    guest: request.guest ?? false,
    app,
    externalId: request.externalId ?? null,
    timeZone: request.timeZone === undefined ? config.timeZone : readTimeZone(request.timeZone),
    locale,
  };
}

/** The adult whom an app names as a guardian: one whom it holds itself, for others have to be asked. */
async function heldAdult(
  { people }: Context,
  reference: string,
  app: string,
  caller: Caller,
): Promise<string> {
  const facts = await people.resolve(reference, caller);
  if (facts === null) throw badField('guardian', 'names nobody whom you hold');
  if (facts.ageBand !== AgeBand.ADULT) throw badField('guardian', 'must be an adult');
  if (facts.app === app) return facts.id;
  throw badRequest('guardian: is not held by this app; a guardian must be a person whom you hold yourself', {
    code: 'held_elsewhere',
    field: 'guardian',
  });
}

async function answerAgain({ people }: Context, id: string, caller: Caller): Promise<Person> {
  const facts = await people.find(id);
  if (facts !== null) return people.show(facts, caller);
  throw badRequest('request_id: the person whom it made was deleted; use another request_id', {
    code: 'request_id_reused',
    field: 'request_id',
  });
}
