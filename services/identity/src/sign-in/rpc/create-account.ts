import { badRequest, internal } from '@hearth/errors';
import { shortenName } from '@hearth/people';
import { Proof } from '@hearth/proto/common/v1/caller';
import type { CreateAccountRequest, SignInService } from '@hearth/proto/identity/v1/sign_in';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { makePerson, type Newcomer } from '../../people/module.ts';
import { type BegunSession, beginSession } from '../../shared/actions/begin-session.ts';
import { recordAccount } from '../../shared/actions/metrics.ts';
import { isEmailTaken, updateEmail } from '../../shared/db/person-emails.ts';
import { ageOf, readBirthMonth } from '../../shared/domain/age-band.ts';
import { readHandle } from '../../shared/domain/handle-choice.ts';
import { readPersonName } from '../../shared/domain/person-name.ts';
import { readTimeZone } from '../../shared/domain/time-zone.ts';
import { readTicket } from '../actions/account-ticket.ts';
import { writeDevice } from '../actions/known-device.ts';
import type { Context } from '../context.ts';
import { checkOldEnough } from '../domain/sign-in-rules.ts';

/** Creates the caller's own account with the address they proved to control. */
export const createAccount =
  (context: Context): UnaryHandler<typeof SignInService.method.createAccount> =>
  async (request, call) => {
    const email = readTicket(context, request.ticket);
    const newcomer = readNewcomer(context, request, call.caller.language);
    let session: BegunSession | undefined;
    try {
      await makePerson(context, newcomer, {
        by: themselves(newcomer, call.caller),
        async also(tx, person) {
          await updateEmail(tx, person, email);
          session = await beginSession(context, tx, person, 'email');
        },
      });
    } catch (error) {
      if (!isEmailTaken(error)) throw error;
      throw badRequest('there is an account with this address already; sign in with it', {
        code: 'already_settled',
      });
    }
    if (session === undefined) throw internal('an account was made without its session');
    recordAccount();
    const endsAt = BigInt(session.endsAt.getTime());
    return { token: session.token, endsAt, deviceToken: writeDevice(context, email) };
  };

/** The new person counts as the caller, having proved an address. */
function themselves({ id, name, ageBand }: OwnAccount, visitor: Caller): Caller {
  const minor = ageBand !== 'adult';
  return {
    ...visitor,
    kind: callerKinds.PERSON,
    id,
    name: minor ? shortenName(name) : name,
    minor,
    proof: Proof.EMAIL,
  };
}

type OwnAccount = Newcomer & { id: string };

/** @param language in which they saw the page */
function readNewcomer(context: Context, request: CreateAccountRequest, language: string): OwnAccount {
  const { ages } = context;
  const name = readPersonName(request.name);
  const handle = request.handle.trim().replace(/^@/, '').toLowerCase();
  const today = ages.today();
  const birth = readBirthMonth(request.birthYearMonth, today);
  const { band, leastAge } = ageOf({ birth, band: null }, today);
  const locale = readLocale(request.locale);
  const timeZone = request.timeZone === '' ? context.config.timeZone : readTimeZone(request.timeZone);
  const chosen = handle === '' ? null : readHandle(handle);
  checkOldEnough({ leastAge, consentAge: ages.consentAge(locale) });
  return {
    id: context.ids.uuid(),
    name,
    handle: chosen,
    birth,
    ageBand: band,
    ageSource: 'self',
    guardian: null,
    guest: false,
    app: null,
    externalId: null,
    timeZone,
    locale,
    language,
  };
}

/** An unreadable browser language is left out: the person did not choose it. */
function readLocale(given: string): string {
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(given) ? given : '';
}
