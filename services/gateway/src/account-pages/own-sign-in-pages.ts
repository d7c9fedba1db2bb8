import { isHearthError } from '@hearth/errors';
import { fixed } from '@hearth/limits';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { RateClass } from '@hearth/proto/options';
import { type AddSignIn, addSignInCodePage, addSignInPage, paths } from '@hearth/web';
import {
  type Context,
  fieldErrors,
  freshSignIn,
  guardianPage,
  noticeOn,
  type Own,
  type OwnForm,
  type PageAnswer,
  shown,
  signedIn,
  signInAfresh,
} from '../pages/module.ts';

const { claimGuest } = PeopleService.method;

const codeMinutes = fixed.sign_in_code_minutes;
/** Codes and passkeys have limits of their own. */
const rate = RateClass.READ;

/** A guest's first sign-in, and another e-mail address for a person who has one. */
export function addOwnSignInPages(context: Context): void {
  const { addPage, ask, send } = context;
  const page = signedIn({
    rate,
    get: (request) => show(context, request),
    post: (request) => sendCode(context, request),
  });
  addPage('me_sign_in', paths.addSignIn, page);
  const code = signedIn({ rate, post: (request) => checkCode(context, request) });
  addPage('me_sign_in_code', paths.addSignInCode, code);
  addPage('me_sign_in_passkey_options', paths.addSignInPasskeyOptions, {
    rate,
    async script({ visit }) {
      const { passkeyOptions = '' } = await ask(claimGuest, { passkey: {} }, visit.caller);
      return { json: JSON.parse(passkeyOptions) };
    },
  });
  addPage('me_sign_in_passkey', paths.addSignInPasskey, {
    rate,
    async script({ body, visit }) {
      const response = JSON.stringify(body['credential'] ?? null);
      await send(claimGuest, { passkey: { response } }, visit.caller);
      return { json: { next: noticeOn(paths.me, 'sign_in').goTo } };
    },
  });
}

function show(context: Context, { frame, person }: Own, more: Partial<AddSignIn> = {}): PageAnswer {
  const { guest } = person;
  const goTo = guest ? undefined : freshSignIn(context, person, paths.addSignIn);
  if (goTo !== undefined) return { goTo };
  const passkeys = context.passkeys && guest;
  // A person with a sign-in makes passkeys on the page for all who have just signed in.
  return shown(addSignInPage(frame, { guest, passkeys, ...more }), more);
}

async function sendCode(context: Context, request: OwnForm): Promise<PageAnswer> {
  const email = request.field('email');
  try {
    await context.send(claimGuest, { email }, request.person);
    const sentAgain = request.field('again') === 'yes';
    return { html: addSignInCodePage(request.frame, { email, minutes: codeMinutes, sentAgain }) };
  } catch (error) {
    return refused(context, request, error);
  }
}

async function checkCode(context: Context, request: OwnForm): Promise<PageAnswer> {
  const email = request.field('email');
  // As people copy them: with what stands between the digits.
  const code = request.field('code').replaceAll(/[\s-]/g, '');
  try {
    await context.send(claimGuest, { email, code }, request.person);
    return noticeOn(paths.me, 'sign_in');
  } catch (error) {
    const errors = fieldErrors(error, { code: 'code' });
    if (errors === undefined) return refused(context, request, error);
    const model = { email, minutes: codeMinutes, errors };
    return shown(addSignInCodePage(request.frame, model), model);
  }
}

/** @throws the error unless it is a wrong address, or a sign-in that is too long ago or not allowed */
function refused(context: Context, request: OwnForm, error: unknown): PageAnswer {
  const errors = fieldErrors(error, { email: 'email' });
  if (errors !== undefined) return show(context, request, { email: request.field('email'), errors });
  const tooYoung = guardianPage(request, error);
  if (tooYoung !== undefined) return tooYoung;
  if (isHearthError(error) && error.details.needsPerson === true)
    return { goTo: signInAfresh(paths.addSignIn) };
  throw error;
}
