import { timingSafeEqual } from 'node:crypto';
import { minute, nowDate } from '@hearth/clock';
import { badField, type HearthError } from '@hearth/errors';
import type { Call } from '@hearth/rpc';
import { recordCode } from '../../shared/actions/metrics.ts';
import type { Context } from '../context.ts';
import { type CodePurpose, lockEmailCode, replaceEmailCode, updateEmailCode } from '../db/email-codes.ts';
import { codeMinutes, codeTries, newCode, readCode } from '../domain/sign-in-rules.ts';

/** The use of digits: to sign in with an address, or to give one to an account. */
export interface CodeFor {
  /** As `readEmail` keeps it. */
  email: string;
  purpose: CodePurpose;
  /** uuid of the person who is to get the address, for claim_guest. */
  person: string | null;
}

/**
 * Sends six digits to an address, used here or not: no one learns from it whose it is.
 *
 * @throws rate_limited for an address, or a network, that had many; unavailable when the mail cannot be sent
 */
export async function sendEmailCode(context: Context, { email, purpose, person }: CodeFor, call: Call) {
  const { clock, config, database, delivery, ids, limiter, random } = context;
  await limiter.consume('sign_in_codes_a_network_an_hour', call.caller.network, 'anyone');
  await limiter.consume('sign_in_codes_an_hour', email, 'anyone');
  const id = ids.uuid();
  const code = newCode((count) => random.bytes(count));
  const now = nowDate(clock);
  const expiresAt = new Date(now.getTime() + codeMinutes * minute);
  const codeHash = hashOf(context, id, code);
  await database.transaction((tx) =>
    replaceEmailCode(tx, { id, email, purpose, person, codeHash, expiresAt }, now),
  );
  await delivery.sendMail({ ...letter(config.home, code), to: email, kind: 'sign_in_code' }, { call });
  recordCode({ outcome: 'sent' });
}

/**
 * Whether these are the digits that were sent; they are used up by it. A wrong try counts.
 *
 * @throws bad_field in words for the person who typed them; rate_limited for a network that tried many
 */
export async function takeEmailCode(
  context: Context,
  asked: CodeFor,
  typed: string,
  call: Call,
): Promise<void> {
  const { clock, database, limiter } = context;
  await limiter.consume('sign_in_tries_an_hour', call.caller.network, 'anyone');
  const code = readCode(typed);
  const outcome = await database.transaction(async (tx) => {
    const now = nowDate(clock);
    const row = await lockEmailCode(tx, asked, now);
    // The same work whether or not anything was sent there.
    const given = hashOf(context, row?.id ?? asked.email, code);
    if (row === null) return 'gone';
    const right = timingSafeEqual(given, row.codeHash);
    const tries = row.tries + 1;
    const over = right || tries >= codeTries;
    await updateEmailCode(tx, row.id, tries, over ? now : null);
    if (right) return 'right';
    return over ? 'gone' : 'wrong';
  });
  recordCode({ outcome });
  if (outcome !== 'right') throw refused(outcome);
}

/** Keyed: a plain hash of six digits is found by trying a million of them. */
function hashOf({ sealer }: Pick<Context, 'sealer'>, id: string, code: string): Buffer {
  return sealer.derive('email_code', `${id}:${code}`);
}

function refused(outcome: 'gone' | 'wrong'): HearthError {
  return outcome === 'wrong'
    ? badField('code', 'these are not the digits that we sent; look at the newest e-mail and try again')
    : badField('code', 'these digits do not work (any more); let us send new ones');
}

function letter(home: string, code: string) {
  const shown = `${code.slice(0, 3)} ${code.slice(3)}`;
  return {
    subject: `${shown} is your code for ${home}`,
    text: `Your six digits for ${home}:

    ${shown}

They work for ${codeMinutes} minutes, in the place where you asked for them. Give them to nobody: people who work
for ${home} never ask for them. If you did not ask for them, do nothing, and nothing happens.
`,
  };
}
