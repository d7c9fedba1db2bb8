import type { MessageShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { unavailable } from '@hearth/errors';
import { type SignedUp, sha256, signUpAi } from '@hearth/identity/testing/ais';
import { anyoneFrom, failure, home as homeName } from '@hearth/identity/testing/start-identity';
import { CardSchema, ReachMode, Seen } from '@hearth/proto/identity/v1/resources';
import { writeMessage } from '@hearth/proto-json';
import type { ResponseMetadata } from '@hearth/rpc';
import { verifyRecord } from '@hearth/signing';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const { by } = home;
const stranger = await signUpAi(home, 'Stranger');
afterAll(() => home.stop());

const minute = 60_000;
const day = 86_400_000;

async function cardOf(address: string, as = stranger): Promise<MessageShape<typeof CardSchema>> {
  return await by(as).getCard({ address });
}

function problemsOf(card: MessageShape<typeof CardSchema>): string[] {
  return verifyRecord(JSON.parse(JSON.stringify(writeMessage(CardSchema, card))), {
    expectedType: 'svc-card+jws',
    home: 'hearth.example',
    keys: home.neighbours.keys,
    now: home.clock.now(),
  }).problems;
}

describe('a card', () => {
  test('is found by its address with the name of this home', async () => {
    const ai = await signUpAi(home);
    expect((await cardOf(`${ai.address.slice(1)}@${homeName}`)).id).toBe(ai.id);
  });

  test.each([
    ["@free-a'; drop table identity.ais; --.ai-x", 'bad_request bad_field'],
    ['', 'bad_request bad_field'],
  ])('of %j fails as %s', async (address, expected) => {
    expect(await failure(cardOf(address))).toBe(expected);
  });

  test('states how long it may be cached and what invalidates it', async () => {
    const ai = await signUpAi(home);
    const told: ResponseMetadata[] = [];
    await by(stranger).getCard({ address: ai.address }, { onMetadata: (one) => told.push(one) });
    expect(told[0]).toMatchObject({
      validMs: 60_000,
      validTopics: [`card:${ai.uuid}`, 'home:keys', `offers:${ai.uuid}`],
    });
  });

  test('stays identical, signature included, for five minutes while its content is unchanged', async () => {
    const ai = await signUpAi(home);
    const first = await cardOf(ai.address);
    const signed = home.neighbours.signed;
    home.clock.advance(5 * minute - 1);
    expect(await cardOf(ai.address)).toEqual(first);
    expect(home.neighbours.signed).toBe(signed);
    home.clock.advance(1_000);
    const later = await cardOf(ai.address);
    expect(later.issuedAt).not.toEqual(first.issuedAt);
    expect(problemsOf(later)).toEqual([]);
    await by(ai).describeMe({ text: 'something new' });
    expect((await cardOf(ai.address)).description).toBe('something new');
  });

  test('is signed again once the keys of the home changed', async () => {
    const ai = await signUpAi(home);
    const first = await cardOf(ai.address);
    home.clock.advance(1_000);
    home.signal('home_keys');
    await eventually(async () => (await cardOf(ai.address)).issuedAt!.seconds > first.issuedAt!.seconds);
    home.clock.advance(10_000);
    const later = await cardOf(ai.address);
    home.clock.advance(1_000);
    expect(await cardOf(ai.address)).toEqual(later);
  });

  test('is signed again once the clock was set back', async () => {
    const ai = await signUpAi(home);
    const first = await cardOf(ai.address);
    home.clock.advance(-60 * minute);
    const later = await cardOf(ai.address);
    expect(later.issuedAt!.seconds).toBeLessThan(first.issuedAt!.seconds);
    expect(problemsOf(later)).toEqual([]);
    home.clock.advance(60 * minute);
  });

  test('of an AI with an owner shows strangers no description', async () => {
    const ai = await signUpAi(home);
    await by(ai).describeMe({ text: 'for my own' });
    await home.run({
      text: "update identity.ais set owner = $2, status = 'claimed' where id = $1",
      values: [ai.uuid, stranger.uuid],
    });
    expect(await cardOf(ai.address)).toMatchObject({ nameVerified: true });
    expect((await cardOf(ai.address)).description).toBeUndefined();
    expect((await cardOf(ai.address, ai)).description).toBe('for my own');
  });

  test('is unavailable while no signer answers', async () => {
    const ai = await signUpAi(home, 'Late');
    await by(ai).describeMe({ text: 'not signed yet' });
    home.neighbours.signError = unavailable('federation is not there');
    expect(await failure(cardOf(ai.address))).toBe('unavailable unavailable');
    home.neighbours.signError = undefined;
    expect(problemsOf(await cardOf(ai.address))).toEqual([]);
  });
});

describe('being away', () => {
  const inDays = (days: number) => timestampFromDate(new Date(home.clock.now() + days * day));

  test('is shown to strangers without its end and reason, which the person sees', async () => {
    const ai = await signUpAi(home);
    const until = inDays(3);
    const answer = await by(ai).setAway({ until, note: 'on leave' });
    expect(answer).toMatchObject({ address: ai.address, away: { away: true, until, note: 'on leave' } });
    expect(writeMessage(CardSchema, await cardOf(ai.address))['away']).toEqual({ away: true });
    const own = await cardOf(ai.address, ai);
    expect(own.away).toMatchObject({ away: true, until, note: 'on leave' });
    expect(problemsOf(own)).toEqual([]);
    const nobody = await by(anyoneFrom('x')).getCard({ address: ai.address });
    expect(nobody.away!.away).toBe(true);
    expect(nobody.away!.until ?? nobody.away!.note).toBeUndefined();
    home.clock.advance(3 * day);
    expect((await cardOf(ai.address)).away).toBeUndefined();
  });
});

describe('reach', () => {
  const seen = (ai: SignedUp, times: { waitedAt?: number; checkedAt?: number; key?: string }) => ({
    ai: ai.uuid,
    waitedAt: BigInt(times.waitedAt ?? 0),
    checkedAt: BigInt(times.checkedAt ?? 0),
    credentialHash: times.key === undefined ? new Uint8Array() : sha256(times.key),
  });

  test('follows activity at the gateways, and time', async () => {
    const ai = await signUpAi(home);
    const now = home.clock.now();
    await home.client.noteSeen({ sightings: [seen(ai, { waitedAt: now })] });
    expect((await cardOf(ai.address)).reach).toMatchObject({ mode: ReachMode.LIVE, seen: Seen.TODAY });
    home.clock.advance(2 * minute + 1);
    expect((await cardOf(ai.address)).reach).toMatchObject({ mode: ReachMode.CHECKS, seen: Seen.TODAY });
    home.clock.advance(6 * day);
    expect((await cardOf(ai.address)).reach).toMatchObject({ mode: ReachMode.CHECKS, seen: Seen.THIS_WEEK });
    await home.client.noteSeen({ sightings: [seen(ai, { checkedAt: home.clock.now() })] });
    expect((await cardOf(ai.address)).reach).toMatchObject({ mode: ReachMode.CHECKS, seen: Seen.TODAY });
    home.clock.advance(8 * day);
    expect((await cardOf(ai.address)).reach).toMatchObject({ mode: ReachMode.UNKNOWN, seen: Seen.OLDER });
  });

  test('never goes back, whatever order reports arrive in', async () => {
    const ai = await signUpAi(home);
    const now = home.clock.now();
    const times = Array.from({ length: 40 }, (_, index) => now - ((index * 7) % 40) * minute);
    await Promise.all(
      times.map((time) =>
        home.client.noteSeen({
          sightings: [seen(ai, { waitedAt: time }), seen(ai, { checkedAt: time - 1 })],
        }),
      ),
    );
    const row = await home.database.db.one<{ waited: Date; checked: Date }>({
      text: 'select waited_at as waited, checked_at as checked from identity.sightings where ai = $1',
      values: [ai.uuid],
    });
    expect(row).toEqual({ waited: new Date(now), checked: new Date(now - 1) });
  });

  test('of many AIs in concurrent reports never deadlocks', async () => {
    const ais = await Promise.all(Array.from({ length: 12 }, (_, index) => signUpAi(home, `Seen ${index}`)));
    const rounds = Array.from({ length: 20 }, (_, round) => {
      const sightings = ais.map((ai) => seen(ai, { waitedAt: home.clock.now() + round, key: ai.key }));
      return round % 2 === 0 ? sightings : sightings.reverse();
    });
    await Promise.all(rounds.map((sightings) => home.client.noteSeen({ sightings })));
    const rows = await home.database.db.query<{ waited: Date }>({
      text: 'select waited_at as waited from identity.sightings where ai = any($1)',
      values: [ais.map((ai) => ai.uuid)],
    });
    expect(rows.map(({ waited }) => waited.getTime())).toEqual(ais.map(() => home.clock.now() + 19));
  });

  test('of an unknown AI is skipped', async () => {
    const nobody = { ...stranger, uuid: '01900000-0000-7000-8000-000000000000' };
    await home.client.noteSeen({ sightings: [seen(nobody, { waitedAt: 1, key: 'hearth_ai_guess' })] });
    await home.client.noteSeen({ sightings: [] });
  });

  test("a key's last use is recorded once a day", async () => {
    const ai = await signUpAi(home);
    const lastUsed = async () =>
      (await by(ai).rotateAiKey({ id: 'me', keepOldMinutes: 0 })).keys.at(-1)!.lastUsed;
    const rowVersion = async () =>
      (
        await home.database.db.one<{ version: string }>({
          text: 'select xmin::text as version from identity.keys where hash = $1',
          values: [sha256(ai.key)],
        })
      ).version;
    home.clock.set('2026-05-01T08:00:00.000Z');
    await home.client.noteSeen({ sightings: [seen(ai, { key: ai.key })] });
    const version = await rowVersion();
    home.clock.set('2026-05-01T23:59:59.000Z');
    await home.client.noteSeen({ sightings: [seen(ai, { key: ai.key })] });
    expect(await rowVersion()).toBe(version);
    expect(await lastUsed()).toBe('2026-05-01');
  });
});

describe('profiles', () => {
  test('come in the order of the addresses, without unknown addresses', async () => {
    const one = await signUpAi(home, 'One');
    const two = await signUpAi(home, 'Two');
    const addresses = [
      two.address,
      '@free-zzzzzz.ai-nobody',
      'nonsense',
      one.address.toUpperCase(),
      one.address,
      'x@other.example',
      '',
    ];
    const { results } = await home.fromMessages.findProfiles({ addresses });
    expect(results.map(({ profile }) => profile?.id)).toEqual([
      two.uuid,
      undefined,
      undefined,
      one.uuid,
      one.uuid,
      undefined,
      undefined,
    ]);
    expect(results[0]!.profile).toMatchObject({ address: two.address, name: 'Two', owner: '' });
  });

  test('of more than a hundred addresses are refused', async () => {
    const addresses = Array.from({ length: 101 }, () => stranger.address);
    expect(await failure(home.fromMessages.findProfiles({ addresses }))).toBe('bad_request bad_field');
  });
});
