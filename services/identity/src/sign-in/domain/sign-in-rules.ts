import { asTyped } from '@hearth/addresses';
import { badField, forbidden, type HearthError } from '@hearth/errors';

/** So many wrong tries of a day cost no pause, whichever digits they were at. */
const freeTries = 5;

/** How long after the last of so many wrong tries of a day the next one can come: it doubles with each. */
export function pauseMs(wrongTries: number): number {
  return wrongTries < freeTries ? 0 : 2 ** (wrongTries - freeTries) * 60_000;
}

/** For so long the proof of an address counts, until the person has filled in the rest. */
export const ticketMinutes = 30;
/** For so long a browser may take to ask its owner. */
export const challengeMinutes = 5;
export const mostPasskeys = 20;

const [digits, moreDigits] = [6, 8];
/** So many wrong tries make the codes of an address longer. */
const triesOfShortCodes = 20;
/** For so long wrong tries of strangers at an address are remembered. */
export const wrongTriesDays = 90;

/** The length of the next code, after so many wrong tries within `wrongTriesDays`: a patient guesser meets longer codes. */
export function codeLength(wrongTries: number): number {
  return wrongTries < triesOfShortCodes ? digits : moreDigits;
}

/** Digits, each as likely as any other. */
export function newCode(bytes: (count: number) => Uint8Array, digits: number): string {
  const most = 10 ** digits;
  const whole = Math.floor(2 ** 32 / most) * most;
  for (;;) {
    const drawn = Buffer.from(bytes(4)).readUInt32BE();
    // The last numbers are dropped: keeping them would make some digits likelier than others.
    if (drawn < whole) return String(drawn % most).padStart(digits, '0');
  }
}

/** As a mail shows them: in two halves. */
export function showCode(code: string): string {
  return `${code.slice(0, code.length / 2)} ${code.slice(code.length / 2)}`;
}

const codeForm = new RegExp(`^(?:[0-9]{${digits}}|[0-9]{${moreDigits}})$`);

/**
 * The digits that a person typed, in whichever script, without what stands between them.
 *
 * @throws bad_field for what can be no code: a slip of the keyboard is no guess, and costs no try
 */
export function readCode(typed: string): string {
  const code = asTyped(typed).replaceAll(/[\s\p{P}]/gu, '');
  if (codeForm.test(code)) return code;
  throw badField('code', `must be the ${digits} or ${moreDigits} digits of the e-mail`);
}

/** @throws forbidden (guardian_needed) for a person who is too young to sign in by themselves where they live */
export function checkOldEnough({ leastAge, consentAge }: { leastAge: number; consentAge: number }): void {
  if (leastAge >= consentAge) return;
  throw tooYoung(consentAge);
}

function tooYoung(consentAge: number): HearthError {
  return forbidden(
    `where you live, people under ${consentAge} have no sign-in of their own here: a guardian or an app ` +
      'looks after the account. Ask a grown-up who can make one for you.',
    { code: 'guardian_needed' },
  );
}
