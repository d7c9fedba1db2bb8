import { timingSafeEqual } from 'node:crypto';
import { day, minute, nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, type HearthError, rateLimited } from '@hearth/errors';
import { fixed } from '@hearth/limits';
import type { Call } from '@hearth/rpc';
import { recordCode } from '../../shared/actions/metrics.ts';
import { findLanguage } from '../../shared/db/person-emails.ts';
import type { Context } from '../context.ts';
import {
  type CodePurpose,
  countWrongTry,
  endEmailCode,
  findWrongTries,
  lockEmailCode,
  replaceEmailCode,
} from '../db/email-codes.ts';
import { codeMail } from '../domain/code-mail.ts';
import { codeLength, newCode, pauseMs, readCode, wrongTriesDays } from '../domain/sign-in-rules.ts';
import { readDevice } from './known-device.ts';
import { resumeMails } from './resume-mails.ts';

/** The purpose of a code: to sign in with an address, or to add one to an account. */
export interface CodeFor {
  /** In the form returned by `readEmail`. */
  email: string;
  purpose: CodePurpose;
  /** For claim_guest: uuid of the person who gets the address. */
  person: string | null;
  /**
   * Identifies the requesting browser; the code works only there. Empty for a program, which has a person's
   * credential.
   */
  browser: string;
  /**
   * Proves that the browser signed in with the address before, which gives it budgets of its own; empty if it
   * did not.
   */
  deviceToken: string;
}

/**
 * Sends a code of six digits, or eight after many wrong guesses, to an address. It behaves the same whether
 * or not an account uses the address.
 *
 * @throws rate_limited if the address or network had too many codes; unavailable if the mail cannot be sent
 */
export async function sendEmailCode(context: Context, asked: CodeFor, call: Call) {
  const { clock, config, database, delivery, ids, languages, limiter, random } = context;
  const { email, purpose, person, browser } = asked;
  const { network } = call.caller;
  // Strangers can use up budgets counted by network or address; that must not lock a person out of their
  // account.
  const device = readDevice(context, asked.deviceToken, email);
  await limiter.consumeAll([
    { limit: 'sign_in_codes_an_hour', key: `${email} ${device || network}`, kind: 'anyone' },
    { limit: 'sign_in_codes_a_day', key: `${email} ${device}`, kind: 'anyone' },
    ...(device === ''
      ? [{ limit: 'sign_in_codes_a_network_an_hour', key: network, kind: 'anyone' } as const]
      : []),
  ]);
  const id = ids.uuid();
  const now = nowDate(clock);
  const since = new Date(now.getTime() - wrongTriesDays * day);
  // A browser that signed in before is not a stranger, and its wrong tries count separately.
  const guessed = device === '' ? await findWrongTries(database.db, { email, device }, since) : { count: 0 };
  const code = newCode((count) => random.bytes(count), codeLength(guessed.count));
  const minutes = fixed.sign_in_code_minutes;
  const expiresAt = new Date(now.getTime() + minutes * minute);
  const codeHash = hashOf(context, id, code);
  await database.transaction((tx) =>
    replaceEmailCode(tx, { id, email, purpose, person, browser, device, codeHash, expiresAt }, now),
  );
  // Looked for, whether or not there is an account.
  const chosen = await findLanguage(database.db, { person, email });
  const language = languages.of({ language: chosen, accepts: call.caller.language });
  const copy = codeMail({ home: config.home, digits: code, minutes }, language);
  await delivery.sendMail({ ...copy, to: email, kind: 'sign_in_code' }, { call });
  recordCode({ outcome: 'sent' });
}

/**
 * Uses the code up if it is right; counts a wrong try.
 *
 * @throws bad_field with a message for the person who typed it; rate_limited if the network or address had
 * too many tries
 */
export async function takeEmailCode(
  context: Context,
  asked: CodeFor,
  typed: string,
  call: Call,
): Promise<void> {
  const { clock, database, limiter } = context;
  const { email } = asked;
  const code = readCode(typed);
  const device = readDevice(context, asked.deviceToken, email);
  if (device === '') await limiter.consume('sign_in_tries_an_hour', call.caller.network, 'anyone');
  const now = nowDate(clock);
  const outcome = await database.transaction(async (tx) => {
    const row = await lockEmailCode(tx, asked, now);
    // The same work whether or not a code was sent to the address.
    const given = hashOf(context, row?.id ?? email, code);
    if (row === null) return 'gone';
    const again = await nextTryAt(tx, { email, device, tries: row.tries }, now);
    if (again > now) return again;
    if (timingSafeEqual(given, row.codeHash)) {
      await endEmailCode(tx, row.id, now);
      return 'right';
    }
    const over = row.tries + 1 >= fixed.sign_in_code_tries;
    await countWrongTry(tx, row.id, now, over);
    return over ? 'gone' : 'wrong';
  });
  if (outcome instanceof Date) throw rateLimited('sign_in_tries_an_hour', outcome);
  recordCode({ outcome });
  if (outcome !== 'right') throw refused(outcome);
  await resumeMails(context, email);
}

/**
 * When the next try is allowed. The first try of each code needs no pause, or strangers' wrong tries would
 * lock the person out; the daily number of codes bounds these.
 */
async function nextTryAt(
  tx: Tx,
  { tries, ...address }: { email: string; device: string; tries: number },
  now: Date,
): Promise<Date> {
  if (tries === 0) return now;
  const { count, lastAt } = await findWrongTries(tx, address, new Date(now.getTime() - day));
  return lastAt === null ? now : new Date(lastAt.getTime() + pauseMs(count));
}

/** Keyed, because a plain hash of a short code can be brute-forced. */
function hashOf({ sealer }: Pick<Context, 'sealer'>, id: string, code: string): Buffer {
  return sealer.derive('email_code', `${id}:${code}`);
}

function refused(outcome: 'gone' | 'wrong'): HearthError {
  return outcome === 'wrong'
    ? badField('code', 'these are not the digits that we sent; look at the newest email and try again')
    : badField('code', 'these digits do not work (any more); let us send new ones');
}
