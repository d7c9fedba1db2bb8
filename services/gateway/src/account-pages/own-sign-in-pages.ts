import { isHearthError } from '@hearth/errors';
import { ClaimGuestRequestSchema } from '@hearth/proto/identity/v1/people';
import { RateClass } from '@hearth/proto/options';
import { type AddSignIn, addSignInCodePage, addSignInPage, paths } from '@hearth/web';
import {
  type Asked,
  type FormRequest,
  fieldErrors,
  fieldOf,
  guardianPage,
  type PageAnswer,
  type ScriptAnswer,
  type ScriptRequest,
  signedIn,
  signedInLately,
  signInAfresh,
  toldOn,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';

const codeMinutes = 10;
/** Codes and passkeys have limits of their own. */
const rate = RateClass.READ;

/** A guest's first sign-in, and another e-mail address for who has one. */
export function addOwnSignInPages(context: PeopleContext): void {
  const { addPage } = context;
  addPage({
    name: 'me_sign_in',
    path: paths.addSignIn,
    rate,
    get: signedIn(async (asked) => show(context, asked)),
    post: signedIn<FormRequest>((asked) => sendCode(context, asked)),
  });
  addPage({
    name: 'me_sign_in_code',
    path: paths.addSignInCode,
    rate,
    post: signedIn<FormRequest>((asked) => checkCode(context, asked)),
  });
  addPage({
    name: 'me_sign_in_passkey_options',
    path: paths.addSignInPasskeyOptions,
    rate,
    script: (request) => passkeyOptions(context, request),
  });
  addPage({
    name: 'me_sign_in_passkey',
    path: paths.addSignInPasskey,
    rate,
    script: (request) => keepPasskey(context, request),
  });
}

function show(
  { clock, passkeys }: PeopleContext,
  { request, person }: Asked,
  more: Partial<AddSignIn> = {},
): PageAnswer {
  const { guest } = person;
  if (!guest && !signedInLately(person, clock.now())) return { goTo: signInAfresh(paths.addSignIn) };
  // Whoever has a sign-in makes passkeys where all do who have just signed in.
  const html = addSignInPage(request.frame, { guest, passkeys: passkeys && guest, ...more });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

async function sendCode(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const email = fieldOf(request, 'email');
  try {
    const message = reader.readMessage(ClaimGuestRequestSchema, { email });
    await peers.people.claimGuest(message, { caller: person });
    const sentAgain = fieldOf(request, 'again') === 'yes';
    return { html: addSignInCodePage(request.frame, { email, minutes: codeMinutes, sentAgain }) };
  } catch (error) {
    return refused(context, asked, error);
  }
}

async function checkCode(context: PeopleContext, asked: Asked<FormRequest>): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const email = fieldOf(request, 'email');
  // As people copy them: with what stands between the digits.
  const code = fieldOf(request, 'code').replaceAll(/[\s-]/g, '');
  try {
    const message = reader.readMessage(ClaimGuestRequestSchema, { email, code });
    await peers.people.claimGuest(message, { caller: person });
    return toldOn(paths.me, 'sign_in');
  } catch (error) {
    const errors = fieldErrors(error, { code: 'code' });
    if (errors === undefined) return refused(context, asked, error);
    return {
      html: addSignInCodePage(request.frame, { email, minutes: codeMinutes, errors }),
      status: 400,
    };
  }
}

/** @throws what is neither a wrong address nor a sign-in that is too long ago or not allowed */
function refused(context: PeopleContext, asked: Asked<FormRequest>, error: unknown): PageAnswer {
  const errors = fieldErrors(error, { email: 'email' });
  if (errors !== undefined) return show(context, asked, { email: fieldOf(asked.request, 'email'), errors });
  const tooYoung = guardianPage(asked.request, error);
  if (tooYoung !== undefined) return tooYoung;
  if (isHearthError(error) && error.details.needsPerson === true)
    return { goTo: signInAfresh(paths.addSignIn) };
  throw error;
}

async function passkeyOptions({ peers }: PeopleContext, { visit }: ScriptRequest): Promise<ScriptAnswer> {
  const { passkeyOptions: options = '' } = await peers.people.claimGuest(
    { passkey: {} },
    { caller: visit.caller },
  );
  return { json: JSON.parse(options) };
}

async function keepPasskey(
  { peers, reader }: PeopleContext,
  { body, visit }: ScriptRequest,
): Promise<ScriptAnswer> {
  const response = JSON.stringify(body['credential'] ?? null);
  const message = reader.readMessage(ClaimGuestRequestSchema, { passkey: { response } });
  await peers.people.claimGuest(message, { caller: visit.caller });
  return { json: { next: toldOn(paths.me, 'sign_in').goTo } };
}
