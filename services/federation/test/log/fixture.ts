import { hour, minute } from '@hearth/clock';
import { HomeItemDecision } from '@hearth/proto/federation/v1/items';
import { eventually, ids } from '@hearth/testkit';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { startHomes, type TestHome, type TestHomes } from '../start-homes.ts';

export let homes: TestHomes;
export let one: TestHome;
export let other: TestHome;
beforeAll(async () => {
  homes = await startHomes();
  ({ one, other } = homes);
});
afterAll(() => homes.stop());
beforeEach(() => {
  homes.clock.advance(2 * hour);
  for (const home of [one, other]) {
    home.cut(null);
    home.away(false);
    home.failsOver(null);
    home.decides(() => ({ decision: HomeItemDecision.OK }));
    home.given.splice(0);
    home.asked.splice(0);
  }
});

/** Ids as the other home received them, without consecutive repetitions. */
export const givenTo = (home: TestHome) =>
  home.given
    .map(({ id }) => id.slice(id.lastIndexOf(':') + 1))
    .filter((id, index, all) => id !== all[index - 1]);
export const newId = () => `msg_${ids.uuid().replaceAll('-', '')}`;

export async function becameOf(home: TestHome, id: string) {
  const settled = await home.settled();
  return settled.filter((item) => item.id === id).map(({ why }) => why || 'delivered');
}
export const endOfLog = async () =>
  (
    await one.service.database.db.one<{ last: number }>({
      text: 'select last_seq as last from federation.logs where home = $1',
      values: [other.name],
    })
  ).last;
export const settles = (home: TestHome, id: string, as = 'delivered') =>
  eventually(async () => (await becameOf(home, id)).includes(as));

/** Advances the clock until waiting items are retried. */
export async function later(home: TestHome, ms = hour) {
  homes.clock.advance(ms);
  await home.run('send-due');
}

/** Fetches a home's lost acts, and decides the items that waited for them. */
export async function takeLost(home: TestHome): Promise<void> {
  await eventually(
    async () => {
      homes.clock.advance(minute);
      await home.run('pull-items');
      const text = 'select count(*)::int as losing from federation.logs where lost_epoch is not null';
      return await home.service.database.db.one<{ losing: number }>({ text });
    },
    ({ losing }) => losing === 0,
  );
  await home.run('decide-items');
}

/** Waits until the condition holds, and any attempt in progress is recorded, so that the next one is later than now. */
export const failing = (how: string) =>
  eventually(
    async () =>
      (
        await one.service.database.db.query({
          text: `select from federation.logs where home = $1 and ${how} and due_at > $2`,
          values: [other.name, new Date(homes.clock.now())],
        })
      ).length === 1,
  );

/** Unsettled items. */
export const openItems =
  'select type from federation.sent_items join federation.logs using (home, epoch) where seq > settled_seq';
export const logOf = (home: TestHome) =>
  home.service.database.db.one<{
    epoch: number;
    last_seq: number;
    settled_seq: number;
    restored: string | null;
  }>({
    text: 'select epoch, last_seq, settled_seq, restored from federation.logs',
  });
