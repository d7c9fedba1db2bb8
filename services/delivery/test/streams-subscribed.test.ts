import { day, minute, second } from '@hearth/clock';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { KnownAi } from './stand-ins.ts';
import { startSubscriptions, type TestSubscriptions } from './start-subscriptions.ts';

let home: TestSubscriptions;

beforeEach(async () => {
  home = await startSubscriptions();
});
afterEach(() => home.stop());

const snapshot = ({ id }: KnownAi) => ({ ai: { id } });

describe('a subscribed AI that may no longer read', () => {
  test('is not sent pending events, and continues with a gap notice once it may again', async () => {
    const child = home.newPerson({ ageBand: AgeBand.TEEN13, aiShare: true });
    const robin = home.newAi(child);
    const changed = () =>
      home.announce({ case: 'personChanged', value: { person: { id: child.id }, changed: ['ai_share'] } });
    const { cursor } = await home.subscribe(robin);
    home.receiver.always({ status: 503 });
    const [waiting] = await home.woken(robin);
    expect(home.receiver.eventIds()).toEqual([waiting]);
    child.aiShare = false;
    await changed();
    home.receiver.always({ status: 204 });
    await home.wake(robin);
    await home.pass(10 * second);
    await home.pass(10 * minute);
    expect(home.receiver.eventIds()).toEqual([waiting]);
    child.aiShare = true;
    await changed();
    const [after] = await home.woken(robin);
    expect(home.receiver.eventIds()).toEqual([waiting, after]);
    await home.pass(second);
    expect(home.receiver.ofType('gap')).toHaveLength(1);
    // Wake-ups recorded while it was permitted to read are still there.
    const { events, truncated } = await home.poll(robin, { cursor });
    expect([events.map(({ eventId }) => eventId), truncated]).toEqual([[waiting, after], true]);
  });

  test('is sent one termination when it changes owners or is switched off', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const [robin, wren] = [home.newAi(ada), home.newAi(ada)];
    await home.subscribe(robin);
    await home.subscribe(wren);
    robin.owner = ben.id;
    wren.revoked = true;
    for (const _ of [1, 2]) {
      await home.announce({ case: 'aiClaimed', value: snapshot(robin) });
      await home.announce({ case: 'aiRevoked', value: { ai: wren.id } });
    }
    await home.quiet();
    await home.wake(robin);
    await home.wake(wren);
    await home.pass(minute);
    expect(home.receiver.ofType('terminated')).toHaveLength(2);
    expect(home.receiver.eventIds()).toEqual([]);
    expect(await home.list(robin)).toEqual([]);
  });

  test('keeps its subscription when the permission read comes back', async () => {
    const robin = home.newAi(home.newPerson());
    await home.subscribe(robin);
    const changed = () =>
      home.announce({ case: 'aiChanged', value: { ai: robin.id, changed: ['permissions'] } });
    robin.permissions = [];
    await changed();
    await home.wake(robin);
    robin.permissions = [Scope.READ];
    await changed();
    const [after] = await home.woken(robin);
    expect(home.receiver.eventIds()).toEqual([after]);
  });
});

test('events are recorded for an AI as long as it subscribes, even without a poll', async () => {
  const robin = await home.subscriber();
  await home.pass(6 * day);
  const [event] = await home.woken(robin);
  expect(home.receiver.eventIds()).toEqual([event]);
});
