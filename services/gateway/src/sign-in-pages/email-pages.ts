import { t } from '@hearth/i18n';
import { fixed } from '@hearth/limits';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { RateClass } from '@hearth/proto/options';
import { enterCodePage, newAccountPage, paths, signInPage } from '@hearth/web';
import {
  birthOf,
  type Context,
  type FormRequest,
  fieldErrors,
  guardianPage,
  type PageAnswer,
  submit,
} from '../pages/module.ts';
import { begin, carry, home, nextOf } from './way-on.ts';

/** Signing in with a code sent by email, and creating an account with it. */
export function addEmailPages(context: Context): void {
  const { addPage } = context;
  // Codes have limits of their own, by address and network.
  const rate = RateClass.READ;
  addPage('send_code', paths.sendCode, { rate, post: (request) => sendCode(context, request) });
  addPage('check_code', paths.checkCode, { rate, post: (request) => checkCode(context, request) });
  addPage('make_account', paths.makeAccount, { rate, post: (request) => makeAccount(context, request) });
}

async function sendCode({ ask, passkeys }: Context, request: FormRequest): Promise<PageAnswer> {
  const { form, frame, visit } = request;
  const next = nextOf(form);
  const typed = request.field('email');
  const show = async () => {
    const { browser, deviceToken } = visit;
    const wanted = { email: typed, browser, deviceToken };
    const { email, minutes } = await ask(SignInService.method.sendCode, wanted, visit.caller);
    const sentAgain = form.get('again') === 'yes';
    return { html: enterCodePage(frame, { carried: carry(next, { email }), email, minutes, sentAgain }) };
  };
  return await submit({ email: 'email' }, show, (errors) => {
    const model = { carried: carry(next), passkeys, email: typed, errors };
    return { html: signInPage(frame, model), status: 400 };
  });
}

const codeMinutes = fixed.sign_in_code_minutes;

async function checkCode(context: Context, request: FormRequest): Promise<PageAnswer> {
  const { form, frame, visit } = request;
  const next = nextOf(form);
  const email = request.field('email');
  const code = form.get('code') ?? '';
  try {
    const { browser, deviceToken } = visit;
    const typed = { email, code, browser, deviceToken };
    const { outcome } = await context.ask(SignInService.method.checkCode, typed, visit.caller);
    if (outcome.case === 'accountTicket') {
      const carried = carry(next, { email, ticket: outcome.value });
      return { html: newAccountPage(frame, { carried, email }) };
    }
    const session = outcome.value!;
    const headers = await begin(context, request, session);
    // Offers a passkey only if the person was not going to another page.
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

const fieldsOfAccount = { name: 'name', handle: 'handle', birth_year_month: 'birth', time_zone: 'time_zone' };

async function makeAccount(context: Context, request: FormRequest): Promise<PageAnswer> {
  const { exchange, form, frame, visit } = request;
  const next = nextOf(form);
  const { values, yearMonth, errors: wrongBirth } = birthOf(form, context.clock.now());
  const text = (name: string) => request.field(name);
  const [ticket, email, name] = [text('ticket'), text('email'), text('name')];
  const [handle, timeZone] = [text('handle'), text('time_zone')];
  const again = (errors: object): PageAnswer => {
    const typed = { ...values, name, handle, time_zone: timeZone };
    const carried = carry(next, { email, ticket });
    return { html: newAccountPage(frame, { carried, email, values: typed, errors }), status: 400 };
  };
  const missing = {
    ...(name === '' && { name: t('sign-in.name-missing') }),
    ...wrongBirth,
    ...(timeZone === '' && { time_zone: t('time-zones.missing') }),
  };
  if (Object.keys(missing).length > 0) return again(missing);
  try {
    const locale = localeOf(exchange.request.headers['accept-language']);
    const account = { ticket, name, handle, birthYearMonth: yearMonth, timeZone, locale };
    const session = await context.ask(SignInService.method.createAccount, account, visit.caller);
    const headers = await begin(context, request, session);
    return { goTo: next ?? (context.passkeys ? paths.newPasskey : home), headers };
  } catch (error) {
    const tooYoung = guardianPage(request, error);
    if (tooYoung !== undefined) return tooYoung;
    const errors = fieldErrors(error, fieldsOfAccount);
    if (errors === undefined) throw error;
    return again(errors);
  }
}

/** The browser's preferred language; its region decides the age of consent. */
function localeOf(header: string | undefined): string {
  return header?.split(',')[0]?.split(';')[0]?.trim() ?? '';
}
