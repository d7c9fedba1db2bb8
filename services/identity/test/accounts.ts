import type { Caller } from '@hearth/proto/common/v1/caller';
import type { Session } from '@hearth/proto/identity/v1/sign_in';
import { sha256 } from './ais.ts';
import { anyoneFrom, type TestIdentity } from './start-identity.ts';

/** The code in the latest mail. */
export function lastCode({ neighbours: { mails } }: TestIdentity): string {
  const [, first, second] = /\b(\d{3,4}) (\d{3,4})\b/.exec(mails.at(-1)?.text ?? '') ?? [];
  if (first === undefined) throw new Error('no mail with digits was sent');
  return `${first}${second}`;
}

let networks = 0;

/** A visitor from their own network, so that tests do not use up each other's limits. */
export function visitor(): Caller {
  networks += 1;
  return anyoneFrom(`203.0.${networks}.0/24`);
}

/** The caller behind a session token. */
export async function callerOf({ client }: TestIdentity, token: string): Promise<Caller | undefined> {
  return (await client.resolveCredential({ hash: sha256(token) })).caller;
}

export interface Account {
  email: string;
  session: Session;
  caller: Caller;
}

/** A person who creates an account by email. */
export async function makeAccount(
  home: TestIdentity,
  { email, ...fields }: { email: string; name?: string; birthYearMonth?: string; handle?: string },
): Promise<Account> {
  const atPages = home.by(visitor());
  await atPages.sendCode({ email });
  const { outcome } = await atPages.checkCode({ email, code: lastCode(home) });
  if (outcome.case !== 'accountTicket') throw new Error('there is such an account');
  const given = { name: 'Ada Lovelace', birthYearMonth: '1990-12', timeZone: 'Europe/London', ...fields };
  const session = await atPages.createAccount({ ticket: outcome.value, ...given });
  return { email, session, caller: (await callerOf(home, session.token))! };
}
