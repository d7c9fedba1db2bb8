import { enumNames } from '@hearth/enum-names';
import { badField, badRequest, notFound } from '@hearth/errors';
import { requestIdUsed } from '@hearth/idempotency';
import type { UnitOfWork } from '@hearth/outbox';
import {
  AgeSource,
  AgeSourceSchema,
  type CreatePersonRequest,
  PeopleService,
} from '@hearth/proto/identity/v1/people';
import { AgeBandSchema, type Person } from '@hearth/proto/identity/v1/resources';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { recordPersonCreated } from '../../shared/actions/metrics.ts';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { findPeopleByIds } from '../../shared/db/people.ts';
import { type AgeBandWord, ageOf, readBirthMonth } from '../../shared/domain/age-band.ts';
import { handleTaken, readHandle } from '../../shared/domain/handle-choice.ts';
import { readLanguage } from '../../shared/domain/language.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { readTimeZone } from '../../shared/domain/time-zone.ts';
import { makePerson, type Newcomer } from '../actions/make-person.ts';
import type { Context } from '../context.ts';
import { listTaken } from '../db/person-addresses.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { callingApp } from '../domain/callers.ts';
import {
  checkAdult,
  checkGuardianGiven,
  checkMinorsAllowed,
  checkOwnChild,
  mayMakeChild,
} from '../domain/guardianship.ts';

/** Creates a person held by the calling app, or a child of the calling person. */
export const createPerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.createPerson> =>
  async (request, call) => {
    const { idempotency, people } = context;
    const { caller } = call;
    const read = caller.app === '' && caller.kind === callerKinds.PERSON ? readOwnChild : readHeld;
    return await idempotency.once(call, PeopleService.method.createPerson, request, {
      async make(claim) {
        const newcomer = await read(context, request, caller);
        const made = await makePerson(context, newcomer, {
          by: caller,
          claim,
          also: (tx) => tellGuardian(context, tx, newcomer),
        });
        recordPersonCreated({ minor: newcomer.ageBand !== 'adult', guest: newcomer.guest });
        return people.show(made!, caller);
      },
      repeat: ({ person }) => answerAgain(context, person, caller),
    });
  };

async function readHeld(context: Context, request: CreatePersonRequest, caller: Caller): Promise<Newcomer> {
  const { ages, config, database } = context;
  const app = callingApp(caller);
  const { age, ...read } = readNewcomer(context, request);
  const locale = request.locale ?? '';
  if (age.band !== 'adult') checkMinorsAllowed(await findAppMinors(database.db, app));
  checkGuardianGiven(age, ages.consentAge(locale), request.guardian !== undefined);
  return {
    ...read,
    ageSource: enumNames(AgeSourceSchema).nameOf(request.ageSource || AgeSource.SELF),
    guardian: request.guardian === undefined ? null : await heldAdult(context, request.guardian, app, caller),
    guest: request.guest ?? false,
    app,
    externalId: request.externalId ?? null,
    timeZone: read.timeZone ?? config.timeZone,
    locale,
    language: read.language ?? '',
  };
}

/** Time zone, locale and language default to the guardian's. */
async function readOwnChild(
  context: Context,
  request: CreatePersonRequest,
  caller: Caller,
): Promise<Newcomer> {
  const { database, limiter, people } = context;
  const [row] = await findPeopleByIds(database.db, [caller.id]);
  if (row === undefined) throw notFound();
  mayMakeChild(people.toFacts(row));
  const { age, ...read } = readNewcomer(context, request);
  checkOwnChild(request, age);
  if (request.guardian !== undefined && (await people.resolve(request.guardian, caller))?.id !== row.id)
    throw badField('guardian', 'is you, and nobody else; leave it out');
  if (read.handle !== null && (await listTaken(database.db, [`@${read.handle}`])).size > 0)
    throw handleTaken(read.handle);
  await limiter.consume('children_a_day', row.id, 'claimed');
  return {
    ...read,
    ageSource: 'guardian',
    guardian: row.id,
    guest: false,
    app: null,
    externalId: null,
    timeZone: read.timeZone ?? row.timeZone,
    locale: request.locale ?? row.locale,
    language: read.language ?? row.language,
  };
}

function readNewcomer({ ages }: Context, request: CreatePersonRequest) {
  const name = readPersonName(request.name);
  const today = ages.today();
  const birth = request.birthYearMonth === undefined ? null : readBirthMonth(request.birthYearMonth, today);
  const given = request.ageBand ? (enumNames(AgeBandSchema).nameOf(request.ageBand) as AgeBandWord) : null;
  const age = ageOf({ birth, band: given }, today);
  return {
    ...{ age, birth, name },
    ageBand: age.band,
    handle: request.handle === undefined ? null : readHandle(request.handle),
    timeZone: request.timeZone === undefined ? undefined : readTimeZone(request.timeZone),
    language: request.language === undefined ? undefined : readLanguage(request.language),
  };
}

/**
 * Mails the guardian that they added a child's account, since another person could have used a browser left
 * open.
 */
async function tellGuardian(context: Context, tx: UnitOfWork, { app, guardian }: Newcomer): Promise<void> {
  if (app !== null || guardian === null) return;
  const [told] = await findPeopleByIds(tx, [guardian]);
  if (told !== undefined) await tellByMail(context, tx, told, 'child_added');
}

/** Returns the guardian an app names: an adult it holds itself, since others would have to be asked. */
async function heldAdult(
  { people }: Context,
  reference: string,
  app: string,
  caller: Caller,
): Promise<string> {
  const facts = await people.resolve(reference, caller);
  checkAdult(facts);
  if (facts.app === app) return facts.id;
  throw badRequest('guardian: is not held by this app; a guardian must be a person whom you hold yourself', {
    code: 'held_elsewhere',
    field: 'guardian',
  });
}

async function answerAgain({ people }: Context, id: string, caller: Caller): Promise<Person> {
  const facts = await people.find(id);
  if (facts !== null) return people.show(facts, caller);
  throw requestIdUsed('the person whom it made was deleted; use another request_id');
}
