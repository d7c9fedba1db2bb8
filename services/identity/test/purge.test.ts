import { afterAll, describe, expect, test } from '@jest/globals';
import { sha256, signUpAi } from './ais.ts';
import { anyoneFrom, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
afterAll(() => home.stop());

const day = 86_400_000;
const count = async (table: 'requests' | 'keys') =>
  (await home.database.db.one<{ count: number }>({ text: `select count(*) from identity.${table}` })).count;

describe('what is forgotten', () => {
  test('request ids after seven days, however many', async () => {
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

  test('keys ninety days after their end, and no key that works', async () => {
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
});

test('a request id is remembered for as long as the home says', async () => {
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
