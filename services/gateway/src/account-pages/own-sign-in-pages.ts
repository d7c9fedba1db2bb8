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
  signInAfresh,
} from '../pages/module.ts';
import { findForSignIn } from './family.ts';

const { claimGuest } = PeopleService.method;

const codeMinutes = fixed.sign_in_code_minutes;
/** Codes and passkeys have limits of their own. */
const rate = RateClass.READ;

/** The child that a guardian adds a sign-in for; undefined for the person's own. */
type For = AddSignIn['child'];

/** A guest's first sign-in, a new email address, and a child's sign-in. */
export function addOwnSignInPages(context: Context): void {
  const { addOwnPage, addPage, ask, send } = context;
  const addPages = (name: string, path: string, whose: (request: Own) => For | Promise<For>) => {
    addOwnPage(name, path, {
      rate,
      get: async (request) => show(context, request, await whose(request)),
      post: async (request) => await sendCode(context, request, await whose(request)),
    });
    const check = async (request: OwnForm) => await checkCode(context, request, await whose(request));
    addOwnPage(`${name}_code`, `${path}/code`, { rate, post: check });
  };
  addPages('me_sign_in', paths.addSignIn, () => undefined);
  addPages('child_sign_in', '/family/:id/sign-in', (request) => findForSignIn(context, request));
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

const pathFor = (child: For) => (child === undefined ? paths.addSignIn : paths.childSignIn(child.id));
/** The page to go to afterwards. A former guardian has no access to the page of a grown-up child. */
function afterFor(child: For): string {
  if (child === undefined) return paths.me;
  return child.grown === true ? paths.family : paths.child(child.id);
}
const claimFor = (child: For) => (child === undefined ? {} : { for: child.id });

function show(
  context: Context,
  { frame, person }: Own,
  child: For,
  more: Partial<AddSignIn> = {},
): PageAnswer {
  const { guest } = person;
  const goTo = guest ? undefined : freshSignIn(context, person, pathFor(child));
  if (goTo !== undefined) return { goTo };
  const passkeys = context.passkeys && guest;
  // People with a sign-in create passkeys on the page after a sign-in.
  return shown(addSignInPage(frame, { child, guest, passkeys, ...more }), more);
}

async function sendCode(context: Context, request: OwnForm, child: For): Promise<PageAnswer> {
  const email = request.field('email');
  try {
    await context.send(claimGuest, { email, ...claimFor(child) }, request.person);
    const sentAgain = request.field('again') === 'yes';
    return { html: addSignInCodePage(request.frame, { child, email, minutes: codeMinutes, sentAgain }) };
  } catch (error) {
    return refused(context, request, child, error);
  }
}

async function checkCode(context: Context, request: OwnForm, child: For): Promise<PageAnswer> {
  const email = request.field('email');
  // People copy codes with the spaces or hyphens between the digits.
  const code = request.field('code').replaceAll(/[\s-]/g, '');
  try {
    await context.send(claimGuest, { email, code, ...claimFor(child) }, request.person);
    return noticeOn(afterFor(child), 'sign_in');
  } catch (error) {
    const errors = fieldErrors(error, { code: 'code' });
    if (errors === undefined) return refused(context, request, child, error);
    const model = { child, email, minutes: codeMinutes, errors };
    return shown(addSignInCodePage(request.frame, model), model);
  }
}

/** @throws the error unless it is about the address, or a sign-in that is too old or not allowed */
function refused(context: Context, request: OwnForm, child: For, error: unknown): PageAnswer {
  const errors = fieldErrors(error, { email: 'email' });
  if (errors !== undefined) return show(context, request, child, { email: request.field('email'), errors });
  const tooYoung = guardianPage(request, error);
  if (tooYoung !== undefined) return tooYoung;
  if (isHearthError(error) && error.details.needsPerson === true)
    return { goTo: signInAfresh(pathFor(child)) };
  throw error;
}
