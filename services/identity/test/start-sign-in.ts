import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { type ManualClock, manualClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { type HearthError, internal } from '@hearth/errors';
import { type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { DeliveryService, type SendMailRequest } from '@hearth/proto/delivery/v1/delivery';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { type Session, SignInService } from '@hearth/proto/identity/v1/sign_in';
import { CallerKind } from '@hearth/proto/options';
import type { Client } from '@hearth/rpc';
import { startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { wholeHome } from '@hearth/testkit/services';
import { identity } from '../src/service.ts';
import { sha256 } from './ais.ts';

export interface TestSignIn {
  signIn: Client<typeof SignInService>;
  oauth: Client<typeof OAuthService>;
  people: Client<typeof PeopleService>;
  /** Sign-ins of guests are begun by groups. */
  peopleFromGroups: Client<typeof PeopleService>;
  identity: Client<typeof IdentityService>;
  clock: ManualClock;
  database: Database;
  mails: SendMailRequest[];
  /** What the sending of mail fails with, while set. */
  mail: { error: HearthError | undefined };
  /** Credentials that gateways were told to look up again. */
  forgotten: string[];
  logged: string[];
  stop(): Promise<void>;
}

/** Identity as it stands, on a database of its own, with a stand-in that keeps the mail. */
export async function startSignIn(env: Record<string, string> = {}): Promise<TestSignIn> {
  const databaseFor = await createTestDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-sign-in-'));
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  const mails: SendMailRequest[] = [];
  const mail: TestSignIn['mail'] = { error: undefined };
  const logged: string[] = [];
  const running = await startHome(
    wholeHome([
      identity,
      {
        name: 'delivery',
        async start(host) {
          host.serve(DeliveryService, {
            hold: () => {
              throw internal('identity holds nothing');
            },
            async sendMail(request) {
              if (mail.error !== undefined) throw mail.error;
              mails.push(request);
              return {};
            },
          });
        },
      },
    ]),
    {
      DATABASE_URL: databaseFor.url,
      HEARTH_DATA: dataFolder,
      HEARTH_HOME: 'hearth.example',
      HEARTH_SITE_URL: 'https://hearth.example',
      ...env,
    },
    {
      clock,
      log: createLogger({ level: 'debug', service: 'test', stream: { write: (line) => logged.push(line) } }),
    },
  );
  const database = openDatabase({ url: databaseFor.url, clock });
  const forgotten: string[] = [];
  running.bus.onSignal('credentials', (payload) => forgotten.push(Buffer.from(payload).toString()));
  return {
    signIn: running.client(SignInService, 'gateway'),
    oauth: running.client(OAuthService, 'gateway'),
    people: running.client(PeopleService, 'gateway'),
    peopleFromGroups: running.client(PeopleService, 'groups'),
    identity: running.client(IdentityService, 'gateway'),
    clock,
    database,
    mails,
    mail,
    forgotten,
    logged,
    async stop() {
      await database.close();
      await running.stop();
      await databaseFor.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
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
  return create(CallerSchema, { kind: CallerKind.ANONYMOUS, network: `203.0.${networks}.0/24` });
}

/** Who calls with a session's token. */
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

/** Somebody who makes an account by e-mail. */
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
