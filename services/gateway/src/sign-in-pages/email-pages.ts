import { RateClass } from '@hearth/proto/options';
import { enterCodePage, newAccountPage, paths, signInPage } from '@hearth/web';
import {
  birthOf,
  type FormRequest,
  fieldErrors,
  guardianPage,
  type PageAnswer,
  type PageRequest,
} from '../pages/module.ts';
import { begin, carry, home, nextOf, type SignInPages } from './context.ts';

/** Signing in with six digits of an e-mail, and the account that begins with them. */
export function addEmailPages(context: SignInPages): void {
  const { addPage } = context;
  // They have limits of their own, by address and network.
  const rate = RateClass.READ;
  addPage({ name: 'send_code', path: paths.sendCode, rate, post: (request) => sendCode(context, request) });
  addPage({
    name: 'check_code',
    path: paths.checkCode,
    rate,
    post: (request) => checkCode(context, request),
  });
  addPage({
    name: 'make_account',
    path: paths.makeAccount,
    rate,
    post: (request) => makeAccount(context, request),
  });
}

async function sendCode(context: SignInPages, { form, frame, visit }: FormRequest): Promise<PageAnswer> {
  const next = nextOf(form);
  const typed = (form.get('email') ?? '').trim();
  try {
    const { email, minutes } = await context.signIn.sendCode({ email: typed }, { caller: visit.caller });
    const sentAgain = form.get('again') === 'yes';
    return { html: enterCodePage(frame, { carried: carry(next, { email }), email, minutes, sentAgain }) };
  } catch (error) {
    const errors = fieldErrors(error, { email: 'email' });
    if (errors === undefined) throw error;
    const { passkeys } = context;
    const model = { carried: carry(next), passkeys, email: typed, errors };
    return { html: signInPage(frame, model), status: 400 };
  }
}

const codeMinutes = 10;

async function checkCode(context: SignInPages, request: FormRequest): Promise<PageAnswer> {
  const { form, frame, visit } = request;
  const next = nextOf(form);
  const email = (form.get('email') ?? '').trim();
  const code = form.get('code') ?? '';
  try {
    const { outcome } = await context.signIn.checkCode({ email, code }, { caller: visit.caller });
    if (outcome.case === 'accountTicket') {
      return {
        html: newAccountPage(frame, { carried: carry(next, { email, ticket: outcome.value }), email }),
      };
    }
    const session = outcome.value!;
    const headers = await begin(context, request, session);
    // Whoever is on their way somewhere is not stopped for an offer.
    const offers = next === undefined && context.passkeys && !session.hasPasskey;
    return { goTo: offers ? paths.newPasskey : (next ?? home), headers };
  } catch (error) {
    const tooYoung = guardianPage(request, error);
    if (tooYoung !== undefined) return tooYoung;
    const errors = fieldErrors(error, { code: 'code' });
    if (errors === undefined) throw error;
    const model = { carried: carry(next, { email }), email, minutes: codeMinutes, errors };
    return { html: enterCodePage(frame, model), status: 400 };
  }
}

async function makeAccount(context: SignInPages, request: FormRequest): Promise<PageAnswer> {
  const { exchange, form, frame, visit } = request;
  const next = nextOf(form);
  const text = (name: string) => (form.get(name) ?? '').trim();
  const { values, yearMonth, errors: wrongBirth } = birthOf(form, context.clock.now());
  const [ticket, email, name, handle, timeZone] = ['ticket', 'email', 'name', 'handle', 'time_zone'].map(
    text,
  );
  const again = (errors: object): PageAnswer => {
    const typed = { ...values, name, handle, time_zone: timeZone };
    const carried = carry(next, { email: email!, ticket: ticket! });
    return { html: newAccountPage(frame, { carried, email: email!, values: typed, errors }), status: 400 };
  };
  const missing = {
    ...wrongBirth,
    ...(name === '' && { name: 'Please write your name.' }),
    ...(timeZone === '' && { time_zone: 'Please choose a city near you.' }),
  };
  if (Object.keys(missing).length > 0) return again(missing);
  try {
    const locale = localeOf(exchange.request.headers['accept-language']);
    const account = { ticket, name, handle, birthYearMonth: yearMonth, timeZone, locale };
    const session = await context.signIn.createAccount(account, { caller: visit.caller });
    const headers = await begin(context, request, session);
    return { goTo: next ?? (context.passkeys ? paths.newPasskey : home), headers };
  } catch (error) {
    const tooYoung = guardianPage(request, error);
    if (tooYoung !== undefined) return tooYoung;
    const fields = { name: 'name', handle: 'handle', birth_year_month: 'birth', time_zone: 'time_zone' };
    const errors = fieldErrors(error, fields);
    if (errors === undefined) throw error;
    return again(errors);
  }
}

/** The language that a browser likes best; its region decides from which age one needs no guardian. */
function localeOf(header: string | undefined): string {
  return header?.split(',')[0]?.split(';')[0]?.trim() ?? '';
}
