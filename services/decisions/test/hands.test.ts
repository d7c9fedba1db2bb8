import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { AgreementStatus } from '@hearth/proto/decisions/v1/agreements';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import { asPerson, calledBy, failure } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startAgreements } from './start-agreements.ts';
import { calls } from './start-decisions.ts';

const home = await startAgreements();
afterAll(() => home.stop());
const { meetings } = home;
const { OPEN, DECLINED } = AgreementStatus;

/** One of the owners claims the AI, or a claim ends, at that second. */
interface Change {
  claimed: boolean;
  owner: number;
  second: number;
}

const claim = (owner: number, second: number): Change => ({ claimed: true, owner, second });
const undo = (owner: number, second: number): Change => ({ claimed: false, owner, second });

/** An AI without an owner that offered times and started an agreement, and three people who may claim it. */
async function newWorld({ needsOwners = false } = {}) {
  const [ai, other] = [home.newAi(), home.newAi()];
  const owners = [1, 2, 3].map(() => home.world.newPerson());
  await calledBy(meetings, ai).offerTimes({
    title: 'A call',
    to: ['anyone'],
    slots: calls,
    timeZone: 'Europe/Zurich',
  });
  const { id } = await home.start(ai, [other], { needsOwners });
  const start = home.clock.now();
  return {
    ai,
    other,
    owners,
    id,
    async tell({ claimed, owner, second }: Change) {
      const [whose, at] = [owners[owner]!.id, timestampFromMs(start + second * 1_000)];
      await home.publish(
        claimed
          ? { case: 'aiClaimed', value: { ai: { id: ai.id }, status: 'claimed', person: whose } }
          : { case: 'aiUnclaimed', value: { ai: { id: ai.id }, owner: whose } },
        { at },
      );
    },
    /** How many offers and agreements each owner sees. */
    seen: async () =>
      await Promise.all(
        owners.map(async (owner) => {
          const who = asPerson(owner);
          const [{ offers }, { agreements }] = await Promise.all([
            calledBy(meetings, who).listOffers({}),
            home.by(who).listAgreements({}),
          ]);
          return [offers.length, agreements.length];
        }),
      ),
    offers: async (who: Caller) => (await calledBy(meetings, who).listOffers({})).offers.length,
    agreement: async () => await home.by(other).getAgreement({ id }),
  };
}

const only = (owner: number | null) => [0, 1, 2].map((one) => (one === owner ? [1, 1] : [0, 0]));

describe('an agreement proposed with an outdated credential', () => {
  test('belongs to the owner who claimed the AI', async () => {
    const { ai, other, owners, tell } = await newWorld();
    await tell(claim(0, 1));
    const { id } = await home.start(ai, [other]);
    const seen = (await home.by(asPerson(owners[0]!)).listAgreements({})).agreements.map((one) => one.id);
    expect(seen).toContain(id);
  });

  test('belongs to the AI alone after its release', async () => {
    const { ai, other, owners, tell } = await newWorld();
    await tell(claim(0, 1));
    await tell(undo(0, 2));
    const [owner] = owners;
    const { id } = await home.start({ ...ai, person: owner!.id }, [other]);
    expect((await home.by(asPerson(owner!)).listAgreements({})).agreements).toEqual([]);
    expect((await home.by(ai).getAgreement({ id })).status).toBe(OPEN);
  });

  test('is refused to strangers if a person under 18 claimed the AI', async () => {
    const { ai, other, owners, tell } = await newWorld();
    owners[0] = home.world.newPerson({ ageBand: AgeBand.CHILD, guardians: [owners[1]!.id] });
    await tell(claim(0, 1));
    expect(await failure(home.start(ai, [other]))).toMatch(/^forbidden/);
  });
});

describe('offers and agreements of an AI made before it was claimed', () => {
  test.each([
    ['in order', [claim(0, 1), undo(0, 2), claim(1, 3)]],
    ['with the end of the earlier claim last', [claim(0, 1), claim(1, 3), undo(0, 2)]],
    ['newest first', [claim(1, 3), claim(0, 1), undo(0, 2)]],
    ['with the end of the earlier claim first', [undo(0, 2), claim(1, 3), claim(0, 1)]],
  ])('belong to its newest owner when the changes come %s', async (_, changes) => {
    const world = await newWorld();
    for (const change of changes) await world.tell(change);
    expect(await world.seen()).toEqual(only(1));
    expect(await world.agreement()).toMatchObject({ status: OPEN, sideGone: false });
  });

  test('belong to the newest owner, or to the AI, in any order of events, with repeats', async () => {
    const history = fc
      .tuple(fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }), fc.boolean())
      .chain(([owners, undone]) => {
        const changes = owners
          .flatMap((owner, index) => [claim(owner, index * 2 + 1), undo(owner, index * 2 + 2)])
          .slice(0, undone ? undefined : -1);
        return fc.record({
          owner: fc.constant(undone ? null : owners.at(-1)!),
          order: fc.shuffledSubarray(changes, { minLength: changes.length }),
          again: fc.shuffledSubarray(changes),
        });
      });
    await fc.assert(
      fc.asyncProperty(history, async ({ owner, order, again }) => {
        const world = await newWorld();
        for (const change of [...order, ...again]) await world.tell(change);
        expect(await world.seen()).toEqual(only(owner));
        expect(await world.offers(world.ai)).toBe(owner === null ? 1 : 0);
        expect(await world.agreement()).toMatchObject({ status: OPEN, sideGone: false });
      }),
      { numRuns: 15 },
    );
  });

  test('belong to an owner who claims the AI again before the end of the first claim arrives', async () => {
    const world = await newWorld();
    await world.tell(claim(0, 1));
    home.clock.advance(1_500);
    const begun = await home.start({ ...world.ai, person: world.owners[0]!.id }, [world.other]);
    home.clock.advance(2_000);
    await world.tell(claim(0, 3));
    const later = await home.start({ ...world.ai, person: world.owners[0]!.id }, [world.other]);
    await world.tell(undo(0, 2));
    expect((await world.seen())[0]).toEqual([1, 3]);
    const statuses = await Promise.all(
      [world.id, begun.id, later.id].map(
        async (id) => (await home.by(world.other).getAgreement({ id })).status,
      ),
    );
    // The AI started one of them under the claim that ended.
    expect(statuses).toEqual([OPEN, DECLINED, OPEN]);
  });

  test('ask the newest owner for approval, and cancel the ask to the former one', async () => {
    const world = await newWorld({ needsOwners: true });
    const asked = () => home.asked().filter(({ owner }) => world.owners.some(({ id }) => id === owner));
    await world.tell(claim(0, 1));
    await world.tell(claim(1, 3));
    await world.tell(undo(0, 2));
    const [first, second] = world.owners;
    expect(asked().map(({ owner }) => owner)).toEqual([first!.id, second!.id]);
    expect(home.cancelled()).toContain(asked()[0]!.id);
    await home.sign(world.other, await world.agreement());
    const approve = (nth: number) =>
      home.publish({
        case: 'approvalSettled',
        value: { approval: printId('apr', asked()[nth]!.id), status: 'approved', kind: 'agreement' },
      });
    await approve(0);
    expect((await world.agreement()).status).toBe(OPEN);
    await approve(1);
    expect((await world.agreement()).status).toBe(AgreementStatus.READY);
  });

  test('stay with the AI when the person who claimed it has left', async () => {
    const world = await newWorld();
    world.owners[0] = { ...world.owners[0]!, id: home.ids.uuid() };
    await world.tell(claim(0, 1));
    expect(await world.seen()).toEqual(only(null));
    expect(await world.offers(world.ai)).toBe(1);
  });

  test('go on when an older claim was by a person under 18', async () => {
    const world = await newWorld();
    const child = home.world.newPerson({ ageBand: AgeBand.CHILD, guardians: [world.owners[0]!.id] });
    world.owners[0] = child;
    for (const change of [undo(0, 2), claim(1, 3), claim(0, 1)]) await world.tell(change);
    expect(await world.seen()).toEqual(only(1));
    expect(await world.agreement()).toMatchObject({ status: OPEN, sideGone: false });
  });
});
