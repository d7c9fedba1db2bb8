import { toBinary } from '@bufbuild/protobuf';
import { badField, badRequest, forbidden, internal } from '@hearth/errors';
import {
  AgeSource,
  type CreatePersonRequest,
  CreatePersonRequestSchema,
  type PeopleService,
} from '@hearth/proto/identity/v1/people';
import { AgeBand, type Person } from '@hearth/proto/identity/v1/resources';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import { type Call, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { recordPersonCreated } from '../../shared/actions/metrics.ts';
import { type AgeBandWord, ageOf, type KnownAge, readBirthMonth } from '../../shared/domain/age-band.ts';
import { readHandle } from '../../shared/domain/handle-choice.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { readTimeZone } from '../../shared/domain/time-zone.ts';
import { toWord } from '../../shared/domain/words.ts';
import { makePerson, type Newcomer } from '../actions/make-person.ts';
import type { PeopleContext } from '../context.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { checkGuardianGiven, checkMinorsAllowed } from '../domain/guardianship.ts';

/** Makes a person whom the calling app holds. */
export function createPerson(context: PeopleContext): UnaryHandler<typeof PeopleService.method.createPerson> {
  return async (request, call) => {
    const app = callingApp(call.caller);
    const remembered = remember(request, call);
    const repeated = remembered && (await context.creations.find(remembered));
    if (repeated) return await answerAgain(context, repeated.person, call);

    const newcomer = await readNewcomer(context, request, app, call.caller);
    const made = await makePerson(context, newcomer, { by: call.caller, remembered });
    if (made === null) {
      const parallel = remembered && (await context.creations.find(remembered));
      if (!parallel) throw internal('a request_id was taken and is not there');
      return await answerAgain(context, parallel.person, call);
    }
    recordPersonCreated({ minor: newcomer.ageBand !== 'adult', guest: newcomer.guest });
    return context.lookups.show(made, call.caller);
  };
}

/** uuid of the app that calls, for itself or for a person. */
export function callingApp({ app, kind }: Caller): string {
  if (app === '' || kind === callerKinds.AI) throw forbidden('only an app can do this, with its own key');
  return app;
}

async function readNewcomer(
  context: PeopleContext,
  request: CreatePersonRequest,
  app: string,
  caller: Caller,
): Promise<Newcomer> {
  const { ages, timeZone } = context;
  const name = readPersonName(request.name);
  const { birth, age } = readAge(request, ages.today());
  const minor = age.band !== 'adult';
  const locale = request.locale ?? '';
  if (minor) checkMinorsAllowed(await findAppMinors(context.database.db, app));
  checkGuardianGiven(age, ages.consentAge(locale), request.guardian !== undefined);
  return {
    name,
    handle: request.handle === undefined ? null : readHandle(request.handle),
    birth,
    ageBand: age.band,
    ageSource: toWord(AgeSource, request.ageSource || AgeSource.SELF),
    guardian: request.guardian === undefined ? null : await heldAdult(context, request.guardian, app, caller),
    guest: request.guest ?? true,
    app,
    externalId: request.externalId ?? null,
    timeZone: request.timeZone === undefined ? timeZone : readTimeZone(request.timeZone),
    locale,
  };
}

function readAge(request: CreatePersonRequest, today: ReturnType<PeopleContext['ages']['today']>) {
  const birth = request.birthYearMonth === undefined ? null : readBirthMonth(request.birthYearMonth, today);
  const band = request.ageBand ? (toWord(AgeBand, request.ageBand) as AgeBandWord) : null;
  const age: KnownAge = ageOf({ birth, band }, today);
  return { birth, age };
}

/** The adult whom an app names as a guardian: one whom it holds itself, for others have to be asked. */
export async function heldAdult(
  { lookups }: Pick<PeopleContext, 'lookups'>,
  reference: string,
  app: string,
  caller: Caller,
): Promise<string> {
  const facts = await lookups.resolve(reference, caller);
  if (facts === null) throw badField('guardian', 'names nobody whom you hold');
  if (facts.ageBand !== AgeBand.ADULT) throw badField('guardian', 'must be an adult');
  if (facts.app !== app) {
    throw badRequest(
      'guardian: is not held by this app; a guardian must be a person whom you hold yourself',
      {
        code: 'held_elsewhere',
        field: 'guardian',
      },
    );
  }
  return facts.id;
}

function remember(request: CreatePersonRequest, call: Call): RememberedRequest | undefined {
  const { requestId, ...body } = request;
  if (requestId === undefined) return undefined;
  return rememberedRequest(
    call.caller,
    'create_person',
    requestId,
    toBinary(CreatePersonRequestSchema, body),
  );
}

async function answerAgain({ lookups }: PeopleContext, id: string, call: Call): Promise<Person> {
  const facts = await lookups.find(id);
  if (facts === null) {
    throw badRequest('request_id: the person whom it made was deleted; use another request_id', {
      code: 'request_id_reused',
      field: 'request_id',
    });
  }
  call.answerWith(200);
  return lookups.show(facts, call.caller);
}
