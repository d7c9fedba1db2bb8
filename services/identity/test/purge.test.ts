import { sql } from '@hearth/db';
import { afterAll, describe, expect, test } from '@jest/globals';
import { sha256, signUpAi } from './ais.ts';
import { addApp, addPerson, newUuid } from './persons.ts';
import { anyoneFrom, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
afterAll(() => home.stop());

const day = 86_400_000;
const count = async (table: string) =>
  (await home.database.db.one<{ count: number }>({ text: `select count(*) from identity.${table}` })).count;

describe('the purge', () => {
  test('deletes request ids after seven days, however many', async () => {
    await home.run({
      text: `insert into identity.requests (scope, operation, request_id, digest, result, created_at)
          select 'network:x', 'sign_up', n::text, '', '{}', $1 from generate_series(1, 2500) n`,
      values: [new Date(home.clock.now())],
    });
    home.clock.advance(day);
    await by(anyoneFrom('x')).signUp({ name: 'Robin', requestId: 'younger' });
    const purge = () => home.runJob('identity: purge-requests');
    home.clock.advance(6 * day - 1);
    await purge();
    expect(await count('requests')).toBe(2_501);
    home.clock.advance(1);
    await purge();
    expect(await count('requests')).toBe(1);
  });

  test('deletes keys ninety days after their end, and no valid key', async () => {
    const ai = await signUpAi(home);
    await by(ai).rotateAiKey({ id: 'me', keepOldMinutes: 0 });
    const before = await count('keys');
    home.clock.advance(90 * day);
    await home.runJob('identity: purge-keys');
    expect(await count('keys')).toBe(before);
    expect((await home.client.resolveCredential({ hash: sha256(ai.key) })).refusal).toBe('key_revoked');
    home.clock.advance(1);
    await home.runJob('identity: purge-keys');
    expect(await count('keys')).toBe(before - 1);
    expect((await home.client.resolveCredential({ hash: sha256(ai.key) })).refusal).toBe('');
  });

  test('deletes keys of apps after ninety days, sessions after thirty, codes a day after their end, expired challenges', async () => {
    const [app, { uuid: person }] = [await addApp(home), await addPerson(home)];
    // One row of each that is just old enough, and one slightly younger.
    for (const older of [1, 0]) {
      const id = newUuid();
      const hash = sha256(id);
      const ended = (days: number) => new Date(home.clock.now() - days * day - older);
      await home.run(sql`
        insert into identity.app_keys (id, app, hash, prefix, created_at, ends_at)
        values (${id}, ${app}, ${hash}, 'hearth_app', ${ended(91)}, ${ended(90)})`);
      await home.run(sql`
        insert into identity.sessions (id, person, hash, created_at, ends_at)
        values (${id}, ${person}, ${hash}, ${ended(31)}, ${ended(30)})`);
      await home.run(sql`
        insert into identity.email_codes (id, email, purpose, code_hash, created_at, expires_at)
        values (${id}, ${`${id}@example.org`}, 'sign_in', ${hash}, ${ended(2)}, ${ended(1)})`);
      await home.run(sql`
        insert into identity.passkey_challenges (challenge, purpose, expires_at)
        values (${id}, 'sign_in', ${ended(0)})`);
    }
    for (const job of ['purge-app-keys', 'purge-sign-ins']) await home.runJob(`identity: ${job}`);
    for (const table of ['app_keys', 'sessions', 'email_codes', 'passkey_challenges'])
      expect([table, await count(table)]).toEqual([table, 1]);
  });
});

test('a request id is kept for the configured time', async () => {
  const other = await startIdentity({ env: { HEARTH_LIMITS: '{"request_id_days": 1}' } });
  try {
    const signUp = async () =>
      (await other.by(anyoneFrom('x')).signUp({ name: 'Robin', requestId: 'once' })).address;
    const first = await signUp();
    other.clock.advance(day - 1);
    expect(await signUp()).toBe(first);
    other.clock.advance(1);
    expect(await signUp()).not.toBe(first);
  } finally {
    await other.stop();
  }
});
