import { asTyped } from '@hearth/addresses';
import { t } from '@hearth/i18n';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { paths, signedOutPage, signInPage } from '@hearth/web';
import {
  type Context,
  type FormRequest,
  frameOf,
  type PageAnswer,
  type PageRequest,
} from '../pages/module.ts';
import { addEmailPages } from './email-pages.ts';
import { addPasskeyPages } from './passkey-pages.ts';
import { carry, home, nextOf } from './way-on.ts';

/** The pages on which people sign in and out. */
export function addSignInPages(context: Context): void {
  const { addPage } = context;
  addPage('sign_in', paths.signIn, { get: (request) => show(context, request) });
  addPage('sign_in_for', paths.signInFor, { post: (request) => ask(context, request, nextOf(request.form)) });
  addPage('open_invitation', paths.openInvitation, { post: (request) => openInvitation(context, request) });
  addEmailPages(context);
  addPasskeyPages(context);
  addPage('sign_out', paths.signOut, { post: (request) => signOut(context, request) });
}

/** Sends signed-in people on, unless they need a fresh sign-in (`fresh`). */
function show(context: Context, request: PageRequest): PageAnswer {
  const { query, visit } = request;
  const next = nextOf(query);
  const known = visit.person !== null && !visit.person.guest;
  if (known && query.get('fresh') === null) return { goTo: next ?? home };
  return ask(context, request, next);
}

function ask({ passkeys }: Context, { frame, query }: PageRequest, next: string | undefined): PageAnswer {
  const before = next === undefined ? undefined : t('sign-in.next');
  const purpose = query.get('fresh') === null ? before : t('sign-in.fresh');
  return { html: signInPage(frame, { carried: carry(next), passkeys, purpose }) };
}

/** Opens an invite by its link or code: the last part of the typed text is the code. */
function openInvitation({ passkeys }: Context, { form, frame }: FormRequest): PageAnswer {
  const typed = asTyped(form.get('invitation') ?? '').replace(/\s/g, '');
  const [path = ''] = typed.split(/[?#]/);
  const code = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  if (/^[A-Za-z0-9_-]{1,100}$/.test(code)) return { goTo: paths.invite(code) };
  const errors = { invitation: t('sign-in.invite-invalid') };
  const model = { carried: carry(nextOf(form)), passkeys, invitation: typed.slice(0, 300), errors };
  return { html: signInPage(frame, model), status: 400 };
}

async function signOut(context: Context, { visit }: FormRequest): Promise<PageAnswer> {
  const { person } = visit;
  if (person !== null) await context.ask(SignInService.method.signOut, {}, person);
  const out = frameOf(context.config, { ...visit, person: null });
  return { html: signedOutPage(out), headers: context.sessions.forget() };
}
