import type { HearthError } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { type Session, SignInService } from '@hearth/proto/identity/v1/sign_in';
import { asAnonymous, createWorld, fakePeers, startService } from '@hearth/testkit';
import { identity } from '../src/service.ts';
import { sha256 } from './ais.ts';

export type TestSignIn = Awaited<ReturnType<typeof startSignIn>>;

/** Identity as it stands, with a fake of delivery that keeps the mail. */
export async function startSignIn(env: Record<string, string> = {}) {
  const peers = fakePeers(createWorld().delivery);
  const home = await startService([identity], {
    peers,
    env: { HEARTH_SITE_URL: 'https://hearth.example', ...env },
    logLevel: 'debug',
  });
  return {
    ...home,
    signIn: home.client(SignInService),
    oauth: home.client(OAuthService),
    people: home.client(PeopleService),
    /** Sign-ins of guests are begun by groups. */
    peopleFromGroups: home.client(PeopleService, 'groups'),
    identity: home.client(IdentityService),
    get mails() {
      return peers.requestsOf(DeliveryService.method.sendMail);
    },
    /** Sending mail fails with it, while set. */
    mail: {
      set error(error: HearthError | undefined) {
        peers.fail(DeliveryService.method.sendMail, error);
      },
    },
    /** Credentials that gateways were told to look up again. */
    forgotten: home.signals('credentials'),
  };
}

/** The six digits of the mail that was sent last. */
export function lastCode({ mails }: Pick<TestSignIn, 'mails'>): string {
  const [, first, second] = /\b(\d{3}) (\d{3})\b/.exec(mails.at(-1)?.text ?? '') ?? [];
  if (first === undefined) throw new Error('no mail with digits was sent');
  return `${first}${second}`;
}

let networks = 0;

/** A visitor from a network of their own, so that no test uses up another's limits. */
export function visitor(): Caller {
  networks += 1;
  return asAnonymous(`203.0.${networks}.0/24`);
}

/** The caller behind a session's token. */
export async function callerOf(
  { identity: client }: Pick<TestSignIn, 'identity'>,
  token: string,
): Promise<Caller | undefined> {
  return (await client.resolveCredential({ hash: sha256(token) })).caller;
}

export interface Account {
  email: string;
  session: Session;
  caller: Caller;
}

/** A person who makes an account by e-mail. */
export async function makeAccount(
  home: TestSignIn,
  { email, ...fields }: { email: string; name?: string; birthYearMonth?: string; handle?: string },
): Promise<Account> {
  const caller = visitor();
  await home.signIn.sendCode({ email }, { caller });
  const { outcome } = await home.signIn.checkCode({ email, code: lastCode(home) }, { caller });
  if (outcome.case !== 'accountTicket') throw new Error('there is such an account');
  const given = { name: 'Ada Lovelace', birthYearMonth: '1990-12', timeZone: 'Europe/London', ...fields };
  const session = await home.signIn.createAccount({ ticket: outcome.value, ...given }, { caller });
  return { email, session, caller: (await callerOf(home, session.token))! };
}
