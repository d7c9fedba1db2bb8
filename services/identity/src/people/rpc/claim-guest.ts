import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, badRequest, notFound } from '@hearth/errors';
import { type ClaimGuestRequest, ClaimGuestStep, type PeopleService } from '@hearth/proto/identity/v1/people';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { peopleChanged } from '../../shared/actions/people.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { isEmailTaken, updateEmail } from '../../shared/db/person-emails.ts';
import { updateAuthenticated } from '../../shared/db/sessions.ts';
import { readEmail } from '../../shared/domain/email.ts';
import { ownAct } from '../../shared/domain/own-act.ts';
import { sendEmailCode, takeEmailCode } from '../../sign-in/actions/email-codes.ts';
import { creationOptionsFor, keepPasskey, takeNewPasskey } from '../../sign-in/actions/register-passkey.ts';
import type { SignInContext } from '../../sign-in/context.ts';
import { checkOldEnough } from '../../sign-in/domain/sign-in-rules.ts';
import { freshlySignedIn } from '../../sign-in/domain/signed-in.ts';
import { changePerson } from '../actions/change-person.ts';

type Method = typeof PeopleService.method.claimGuest;

/** Gives an account a sign-in: a guest's first one, or another one. */
export function claimGuest(context: SignInContext): UnaryHandler<Method> {
  return async (request, call) => {
    const person = await claimant(context, call);
    const { email, code, passkey } = request;
    if ((email === undefined) === (passkey === undefined))
      throw badRequest('give email, or passkey, to sign in with from now on');
    if (code !== undefined && email === undefined)
      throw badField('code', 'goes with the email that it was sent to');
    return email === undefined
      ? await byPasskey(context, person, passkey as NonNullable<typeof passkey>, call)
      : await byEmail(context, person, { email, code }, call);
  };
}

/** uuid of the caller, who may change how they sign in: a guest, who cannot do it yet, or after a fresh sign-in. */
async function claimant({ ages, clock, database }: SignInContext, { caller }: Call): Promise<string> {
  const person = ownAct(caller);
  if (!caller.guest && caller.app === '') freshlySignedIn(caller, clock.now());
  await database.transaction(async (tx) => {
    const row = await lockPerson(tx, person);
    if (row === null) throw notFound();
    checkOldEnough({ leastAge: ages.leastAgeOf(row), consentAge: ages.consentAge(row.locale) });
  });
  return person;
}

async function byEmail(
  context: SignInContext,
  person: string,
  given: Pick<ClaimGuestRequest, 'code'> & { email: string },
  call: Call,
) {
  const email = readEmail(given.email);
  const asked = { email, purpose: 'claim_guest' as const, person };
  if (given.code === undefined) {
    await sendEmailCode(context, asked, call);
    return { step: ClaimGuestStep.CODE };
  }
  await takeEmailCode(context, asked, given.code, call);
  try {
    return await settle(context, person, 'email', (tx) => updateEmail(tx, person, email), call);
  } catch (error) {
    if (isEmailTaken(error))
      throw badField('email', 'is the sign-in of another account; use another address');
    throw error;
  }
}

async function byPasskey(
  context: SignInContext,
  person: string,
  { response }: { response?: string },
  call: Call,
) {
  if (response === undefined) {
    const passkeyOptions = await creationOptionsFor(context, person);
    return { step: ClaimGuestStep.PASSKEY, passkeyOptions };
  }
  const passkey = await takeNewPasskey(context, person, response);
  return await settle(context, person, 'passkey', (tx) => keepPasskey(context, tx, person, passkey), call);
}

/** Whoever has a sign-in is a guest no more, and has proved by it who they are. */
async function settle(
  context: SignInContext,
  person: string,
  proof: 'email' | 'passkey',
  keep: (tx: Tx) => Promise<void>,
  { caller }: Call,
) {
  const { bus, clock, database, lookups, outbox } = context;
  const { facts, rows } = await database.transaction(async (tx) => {
    const row = await lockPerson(tx, person);
    if (row === null) throw notFound();
    await keep(tx);
    if (caller.session !== '')
      await updateAuthenticated(tx, caller.session, { authenticatedAt: nowDate(clock), proof });
    if (!row.guest) return { facts: lookups.toFacts(row), rows: [] };
    return await changePerson(context, tx, row, { guest: false }, { changed: ['guest'], by: caller });
  });
  outbox.committed(rows);
  peopleChanged(bus, [person]);
  credentialsChanged(bus, person);
  return { step: ClaimGuestStep.DONE, person: lookups.show(facts, caller) };
}
