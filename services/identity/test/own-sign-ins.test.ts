import { create } from '@bufbuild/protobuf';
import { day, minute, nowDate } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { Caller } from '@hearth/rpc';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type Account, callerOf, lastCode, makeAccount, visitor } from './accounts.ts';
import { sha256 } from './ais.ts';
import { factsOf } from './people.ts';
import { failure, operator, startIdentity } from './start-identity.ts';

/** How a person sees and ends their own sign-ins. */

const home = await startIdentity();
const { by } = home;
afterAll(() => home.stop());

let made = 0;

async function newAccount(): Promise<Account> {
  made += 1;
  return await makeAccount(home, { email: `own-${made}@example.com` });
}

/** The same person in another browser. */
async function elsewhere({ email }: Account): Promise<{ token: string; caller: Caller }> {
  const there = by(visitor());
  await there.sendCode({ email });
  const { outcome } = await there.checkCode({ email, code: lastCode(home) });
  const { token } = outcome.value as { token: string };
  return { token, caller: (await callerOf(home, token))! };
}

async function addPasskey(person: string): Promise<string> {
  const key = home.ids.uuid();
  await home.run(sql`
    insert into identity.passkeys (id, key, person, public_key, counter, created_at)
    values (${Buffer.from(key)}, ${key}, ${person}, ${Buffer.alloc(1)}, 0, ${nowDate(home.clock)})`);
  return printId('pky', key);
}

/** The due mails about the account, as sent. */
async function mailsTo(email: string) {
  const due = await home.announced('sendDue');
  const sends = due.map(({ data }) => data.value);
  const prepared = await home.fromDelivery.prepareSends({
    sends: sends.map(({ kind, id }) => ({ kind, id })),
  });
  return prepared.sends
    .flatMap(({ content }) => (content.case === 'mail' ? [content.value] : []))
    .filter(({ to }) => to === email);
}

const stale = (caller: Caller) => create(CallerSchema, { ...caller, authenticatedAt: 1n });

describe('sessions', () => {
  test('are listed for their person only, with browser and network of last use', async () => {
    const account = await newAccount();
    const other = await elsewhere(account);
    await home.client.noteSeen({
      sightings: [
        { credentialHash: sha256(other.token), device: 'Firefox on Linux', network: '198.51.100.0/24' },
      ],
    });
    // A use without browser information does not erase it.
    await home.client.noteSeen({ sightings: [{ credentialHash: sha256(other.token) }] });
    const { email, sessions } = await by(account).listSignIns({});
    expect(email).toBe(account.email);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ current }) => !current)).toMatchObject({
      id: printId('ses', other.caller.session),
      device: 'Firefox on Linux',
      network: '198.51.100.0/24',
      lastUsed: nowDate(home.clock).toISOString().slice(0, 10),
    });
    expect((await by(await newAccount()).listSignIns({})).sessions).toHaveLength(1);
  });

  test('end one by one, or all others at once, immediately', async () => {
    const account = await newAccount();
    const others = [await elsewhere(account), await elsewhere(account), await elsewhere(account)];
    const [first] = others;
    const end = (id: string) => by(account).endSession({ id });
    expect(await end(printId('ses', first!.caller.session))).toMatchObject({ ended: 1 });
    await eventually(() => home.signalled.credentials.includes(first!.caller.session));
    expect(await callerOf(home, first!.token)).toBeUndefined();
    expect(await failure(end(printId('ses', first!.caller.session)))).toBe('not_found not_found');
    expect(await end('others')).toMatchObject({ ended: 2 });
    for (const { token } of others) expect(await callerOf(home, token)).toBeUndefined();
    expect((await callerOf(home, account.session.token))?.id).toBe(account.caller.id);
  });

  test('of other people are not found', async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()];
    for (const id of [printId('ses', theirs.caller.session), theirs.caller.session, 'ses_1', 'x'])
      expect(await failure(by(mine).endSession({ id }))).toBe('not_found not_found');
    expect((await callerOf(home, theirs.session.token))?.id).toBe(theirs.caller.id);
  });

  test('expire 30 days after the last use, and 90 days after the start', async () => {
    const { session } = await newAccount();
    const use = () => home.client.noteSeen({ sightings: [{ credentialHash: sha256(session.token) }] });
    for (let days = 0; days < 75; days += 25) {
      expect(await callerOf(home, session.token)).toBeDefined();
      await use();
      home.clock.advance(25 * day);
    }
    expect(await callerOf(home, session.token)).toBeDefined();
    home.clock.advance(7 * day);
    const late = await home.client.resolveCredential({ hash: sha256(session.token) });
    expect(late).toMatchObject({ refusal: 'ended' });
    const { session: kept } = await newAccount();
    for (let days = 0; days < 90; days += 10) {
      await home.client.noteSeen({ sightings: [{ credentialHash: sha256(kept.token) }] });
      home.clock.advance(10 * day);
    }
    expect(await callerOf(home, kept.token)).toBeUndefined();
  });
});

describe('a fresh proof', () => {
  test('continues the session under a new token, and invalidates the old one', async () => {
    const account = await newAccount();
    home.clock.advance(minute);
    await by(account).sendCode({ email: account.email });
    const { outcome } = await by(account).checkCode({ email: account.email, code: lastCode(home) });
    const renewed = outcome.value as { token: string; renewed: boolean };
    expect(renewed.renewed).toBe(true);
    expect(await callerOf(home, account.session.token)).toBeUndefined();
    await eventually(() => home.signalled.credentials.includes(account.caller.session));
    expect(await callerOf(home, renewed.token)).toMatchObject({
      session: account.caller.session,
      authenticatedAt: BigInt(home.clock.now()),
    });
    expect((await by(account).listSignIns({})).sessions).toHaveLength(1);
  });

  test('of another person begins a session of theirs', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    await by(one).sendCode({ email: two.email });
    const { outcome } = await by(one).checkCode({ email: two.email, code: lastCode(home) });
    const session = outcome.value as { token: string; renewed: boolean };
    expect(session.renewed).toBe(false);
    expect((await callerOf(home, session.token))?.id).toBe(two.caller.id);
    expect((await callerOf(home, one.session.token))?.id).toBe(one.caller.id);
  });
});

describe('a change of sign-in methods', () => {
  test('of the email address ends all other sessions, and notifies the old address', async () => {
    const account = await newAccount();
    const thief = await elsewhere(account);
    const email = 'changed@example.com';
    await by(account).claimGuest({ email });
    await by(account).claimGuest({ email, code: lastCode(home) });
    expect(await callerOf(home, thief.token)).toBeUndefined();
    await eventually(() => home.signalled.credentials.includes(thief.caller.session));
    expect((await callerOf(home, account.session.token))?.id).toBe(account.caller.id);
    const [mail] = await mailsTo(account.email);
    expect(mail!.subject).toContain('was changed');
    expect(mail!.text).toContain('https://hearth.example/me');
    expect(mail!.text).not.toContain(email);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('that removes a passkey needs a fresh sign-in, ends other sessions and notifies the person', async () => {
    const account = await newAccount();
    const key = await addPasskey(account.caller.id);
    const { passkeys } = await by(account).listSignIns({});
    expect(passkeys).toMatchObject([{ id: key }]);
    const other = await elsewhere(account);
    expect(await failure(by(stale(account.caller)).removePasskey({ id: key }))).toBe(
      'forbidden needs_person',
    );
    const stranger = await newAccount();
    expect(await failure(by(stranger).removePasskey({ id: key }))).toBe('not_found not_found');
    await by(account).removePasskey({ id: key });
    expect((await by(account).listSignIns({})).passkeys).toEqual([]);
    expect(await callerOf(home, other.token)).toBeUndefined();
    expect((await mailsTo(account.email))[0]!.subject).toContain('was removed');
    expect(await failure(by(account).removePasskey({ id: key }))).toBe('not_found not_found');
  });

  test('never removes the last sign-in method', async () => {
    const { caller } = await newAccount();
    await home.run(sql`update identity.people set email = null where id = ${caller.id}`);
    const [one, two] = [await addPasskey(caller.id), await addPasskey(caller.id)];
    const both = await Promise.allSettled([one, two].map((id) => by(caller).removePasskey({ id })));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [left] = (await by(caller).listSignIns({})).passkeys;
    expect(await failure(by(caller).removePasskey({ id: left!.id }))).toBe('bad_request last_sign_in');
  });

  test('an account deletion is announced by mail once, with its date', async () => {
    const account = await newAccount();
    const { handle } = (await factsOf(home, account.caller.id))!;
    await by(account).deleteAccount({ id: 'me', confirm: handle });
    await by(account).deleteAccount({ id: 'me', confirm: handle });
    const [mail, ...more] = await mailsTo(account.email);
    expect(more).toEqual([]);
    expect(mail!.subject).toContain('will be deleted');
    expect(mail!.text).toContain('will be deleted on Thu, 27 Aug 2026. To keep it');
  });

  test("an account deletion by the operator includes the operator's reason", async () => {
    const { caller, email } = await newAccount();
    await by(operator).deletePerson({ id: printId('per', caller.id), reason: 'asked by mail' });
    const [mail, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    expect(mail!.subject).toContain('will be deleted');
    expect(mail!.text).toContain('\n> asked by mail\n');
    expect(mail!.text).not.toContain('If this was you');
  });

  test('leaves no record of its mails after the purge', async () => {
    home.clock.advance(13 * 60 * minute);
    await home.runJob('identity: purge-sign-ins');
    const left = await home.database.db.query(sql`select 1 from identity.account_mails`);
    expect(left).toEqual([]);
  });
});
