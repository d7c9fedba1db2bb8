import { asTyped } from '@hearth/addresses';
import { badField, forbidden, type HearthError } from '@hearth/errors';

/** The number of wrong tries a day without a pause, at any codes. */
const freeTries = 5;

/** The pause after the latest wrong try, doubling with each. */
export function pauseMs(wrongTries: number): number {
  return wrongTries < freeTries ? 0 : 2 ** (wrongTries - freeTries) * 60_000;
}

/** How long the proof of an address is valid while the person fills in the rest. */
export const ticketMinutes = 30;
/** How long a browser may take to ask its owner. */
export const challengeMinutes = 5;
export const mostPasskeys = 20;

const [digits, moreDigits] = [6, 8];
/** The number of wrong tries after which the address gets longer codes. */
const triesOfShortCodes = 20;
/** How long strangers' wrong tries at an address are remembered. */
export const wrongTriesDays = 90;

/**
 * The length of the next code, given the wrong tries within `wrongTriesDays`: a patient guesser meets longer
 * codes.
 */
export function codeLength(wrongTries: number): number {
  return wrongTries < triesOfShortCodes ? digits : moreDigits;
}

/** Draws a uniformly random code. */
export function newCode(bytes: (count: number) => Uint8Array, digits: number): string {
  const most = 10 ** digits;
  const whole = Math.floor(2 ** 32 / most) * most;
  for (;;) {
    const drawn = Buffer.from(bytes(4)).readUInt32BE();
    // The highest numbers are dropped: keeping them would make some codes likelier than others.
    if (drawn < whole) return String(drawn % most).padStart(digits, '0');
  }
}

/** The code in two halves, as mails show it. */
export function showCode(code: string): string {
  return `${code.slice(0, code.length / 2)} ${code.slice(code.length / 2)}`;
}

const codeForm = new RegExp(`^(?:[0-9]{${digits}}|[0-9]{${moreDigits}})$`);

/**
 * Reads a typed code: digits of any script, without separators.
 *
 * @throws bad_field if it cannot be a code: a typo is not a guess and costs no try
 */
export function readCode(typed: string): string {
  const code = asTyped(typed).replaceAll(/[\s\p{P}]/gu, '');
  if (codeForm.test(code)) return code;
  throw badField('code', `must be the ${digits} or ${moreDigits} digits of the email`);
}

/** @throws forbidden (guardian_needed) for a person too young to sign in alone where they live */
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
