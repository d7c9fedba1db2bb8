import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, notFound, personNeeded } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import { type ClaimGuestRequest, ClaimGuestStep, type PeopleService } from '@hearth/proto/identity/v1/people';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { changePerson } from '../../people/module.ts';
import { tellByMail } from '../../shared/actions/tell-by-mail.ts';
import { deleteGuardianshipsOver } from '../../shared/db/guardianships.ts';
import { lockPerson, type PersonRow } from '../../shared/db/people.ts';
import { isEmailTaken, updateEmail } from '../../shared/db/person-emails.ts';
import { isUnreachable } from '../../shared/db/reachable.ts';
import { updateAuthenticated } from '../../shared/db/sessions.ts';
import { readEmail } from '../../shared/domain/email.ts';
import { ownAct } from '../../shared/domain/own-act.ts';
import type { Context } from '../context.ts';
import { checkOldEnough } from '../domain/sign-in-rules.ts';
import { freshlySignedIn } from '../domain/signed-in.ts';
import { sendEmailCode, takeEmailCode } from './email-codes.ts';
import { endOtherSessions } from './end-others.ts';
import { creationOptionsFor, keepPasskey, takeNewPasskey } from './register-passkey.ts';

/**
 * Gives an account a sign-in: a guest's first, or a different one. A guardian can give one to their child.
 */
export const claimGuest =
  (context: Context): UnaryHandler<typeof PeopleService.method.claimGuest> =>
  async (request, call) => {
    const { email, code, passkey } = request;
    if (request.for !== undefined && passkey !== undefined)
      throw badField('passkey', 'is made by whom it signs in; give a child an email');
    const person = await claimant(context, request.for, call);
    if ((email === undefined) === (passkey === undefined))
      throw badField('email', 'give this, or passkey, to sign in with from now on');
    if (code !== undefined && email === undefined)
      throw badField('code', 'goes with the email that it was sent to');
    return email === undefined
      ? await byPasskey(context, person, passkey as NonNullable<typeof passkey>, call)
      : await byEmail(context, person, { email, code }, call);
  };

/**
 * uuid of the person who gets the sign-in: the caller or their child. A guest may call it as they are; anyone
 * else needs a fresh sign-in.
 */
async function claimant(
  { ages, clock, database, people }: Context,
  child: string | undefined,
  { caller }: Call,
): Promise<string> {
  const self = ownAct(caller);
  const person = child === undefined ? self : (await people.resolve(child, caller))?.id;
  // An app acting for a guardian gets no access to a child's account, which another app may hold.
  if (child !== undefined && caller.app !== '')
    throw personNeeded(
      'for: a guardian gives a child a sign-in on the pages of the home, not through an app',
    );
  if (child !== undefined || (!caller.guest && caller.app === '')) freshlySignedIn(caller, clock.now());
  await database.transaction(async (tx) => {
    const row = person === undefined ? null : await lockPerson(tx, person);
    if (row === null || (row.id !== self && !(await guardiansOf(tx, row)).includes(self))) throw notFound();
    checkOldEnough({ leastAge: ages.leastAgeOf(row), consentAge: ages.consentAge(row.locale) });
  });
  return person!;

  /** From 18 on, the former guardians, until the account has a sign-in. */
  async function guardiansOf(tx: Tx, row: PersonRow): Promise<string[]> {
    return isMinor(people.toFacts(row)) || (await isUnreachable(tx, row.id)) ? row.guardians : [];
  }
}

async function byEmail(
  context: Context,
  person: string,
  given: Pick<ClaimGuestRequest, 'code'> & { email: string },
  call: Call,
) {
  const email = readEmail(given.email);
  // The person's own credential ties the code to them, so no browser name is needed.
  const asked = { email, purpose: 'claim_guest' as const, person, browser: '', deviceToken: '' };
  if (given.code === undefined) {
    await sendEmailCode(context, asked, call);
    return { step: ClaimGuestStep.CODE };
  }
  await takeEmailCode(context, asked, given.code, call);
  try {
    return await settle(context, person, { email, keep: (tx) => updateEmail(tx, person, email) }, call);
  } catch (error) {
    if (isEmailTaken(error))
      throw badField('email', 'is the sign-in of another account; use another address', { rule: 'taken' });
    throw error;
  }
}

async function byPasskey(context: Context, person: string, { response }: { response?: string }, call: Call) {
  if (response === undefined) {
    const passkeyOptions = await creationOptionsFor(context, person);
    return { step: ClaimGuestStep.PASSKEY, passkeyOptions };
  }
  const passkey = await takeNewPasskey(context, person, response);
  const keep = (tx: Tx) => keepPasskey(context, tx, person, passkey);
  return await settle(context, person, { email: null, keep }, call);
}

/**
 * Stores the sign-in. The person stops being a guest, and has proved who they are.
 *
 * @param email the new address; null for a passkey
 */
async function settle(
  context: Context,
  person: string,
  { email, keep }: { email: string | null; keep: (tx: Tx) => Promise<void> },
  { caller }: Call,
) {
  const { clock, commit, people } = context;
  const proof = email === null ? 'passkey' : 'email';
  const facts = await commit(async (tx) => {
    const row = await lockPerson(tx, person);
    if (row === null) throw notFound();
    await keep(tx);
    if (!isMinor(people.toFacts(row))) await deleteGuardianshipsOver(tx, person);
    // Sessions from the previous sign-in end.
    await endOtherSessions(tx, person, caller);
    if (row.email !== email)
      await tellByMail(context, tx, row, email === null ? 'passkey_added' : 'email_changed');
    if (caller.id === person && caller.session !== '')
      await updateAuthenticated(tx, caller.session, { authenticatedAt: nowDate(clock), proof });
    tx.signal('people', person);
    tx.signal('credentials', person);
    if (!row.guest) return people.toFacts(row);
    return await changePerson(context, tx, row, { guest: false }, { changed: ['guest'], by: caller });
  });
  return { step: ClaimGuestStep.DONE, person: people.show(facts, caller) };
}
