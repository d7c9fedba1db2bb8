import { minute } from '@hearth/clock';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemDecision } from '@hearth/proto/federation/v1/items';
import { eventually, ids } from '@hearth/testkit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { homes, one, other, settles } from './fixture.ts';

const act = () => ({
  ...{ id: `act_${ids.uuid().replaceAll('-', '')}`, type: HomeItemType.ACT, service: 'approvals' },
  homes: [{ home: other.name }],
  bodyJson: JSON.stringify({
    ...{ on: `r:${other.name}:apr_1`, operation: 'cancel_approval', request: {} },
    ...{ by: 'ai', proof: 'key', via: 'api' },
  }),
});
const done = {
  decision: HomeItemDecision.OK,
  result: { status: 200, answerJson: '{"id":"apr_1"}', errorJson: '' },
};
const answersActs = () =>
  other.decides(({ type }) => (type === HomeItemType.ACT ? done : { decision: HomeItemDecision.OK }));

/** Items that the first home's services received: type, act, and whether another home gave it back. */
const given = () =>
  one.given.map(({ type, id, bodyJson, returned }) => {
    const name = type === HomeItemType.RESULT ? JSON.parse(bodyJson).act : id;
    return [type, String(name).split(':').at(-1), returned];
  });
const came = (type: HomeItemType) => eventually(async () => one.given.some((item) => item.type === type));
const returned = (id: string) => [
  [HomeItemType.ACT, id, true],
  [HomeItemType.RESULT, id, false],
];
const run = (text: string, values: unknown[] = []) => one.service.run({ text, values });

/** Deletes an act, the last item of the log, as if restored from a backup. */
async function lose(id: string): Promise<void> {
  await run('delete from federation.sent_items where id = $1', [id]);
  await run(`update federation.logs set last_seq = last_seq - 1, settled_seq = least(settled_seq, last_seq - 1),
    handed_seq = least(handed_seq, last_seq - 1), pulled_at = null`);
}

async function decideLater(home: typeof one): Promise<void> {
  homes.clock.advance(minute);
  await home.run('decide-items');
}

describe('an act that this home lost', () => {
  // A number that is reused after a restore stays with the act that had it first.
  beforeEach(() => other.service.run({ text: 'delete from federation.received_acts' }));

  test('is requested back with its result, and goes to the service that sent it', async () => {
    answersActs();
    const id = await one.give(other, act());
    await settles(one, id);
    await came(HomeItemType.RESULT);
    await lose(id);
    one.given.splice(0);
    await one.run('pull-items');
    expect(given()).toEqual(returned(id));
    const [{ bodyJson, from, home }] = one.given as [(typeof one.given)[0]];
    expect(JSON.parse(bodyJson).operation).toBe('cancel_approval');
    expect([from, home]).toEqual([`ana.ai-helper@${one.name}`, other.name]);
    expect(other.asked.some((line) => line.startsWith('GET /federation/items?yours=acts&'))).toBe(true);
  });

  test('is restored, so that later items of its home, with its result, need not wait', async () => {
    answersActs();
    const id = await one.give(other, act());
    await settles(one, id);
    await came(HomeItemType.RESULT);
    await lose(id);
    await run('update federation.logs set in_seq = in_seq - 1');
    await run('delete from federation.received_items where type = $1', ['result']);
    one.given.splice(0);
    await one.run('pull-items');
    expect(given()).toEqual([...returned(id), [HomeItemType.RESULT, id, false]]);
    expect(await lostOf()).toBeNull();
  });

  test('is requested back when its result arrives, and items with that result wait for it', async () => {
    other.decides(() => ({ decision: HomeItemDecision.LATER }));
    const id = await one.give(other, act());
    await settles(one, id);
    await lose(id);
    answersActs();
    await decideLater(other);
    await eventually(async () => (await lostOf()) !== null);
    const message = await other.give(one);
    await settles(other, message);
    await decideLater(one);
    expect(given()).toEqual([]);
    await one.run('pull-items');
    expect(given()).toEqual(returned(id));
    await decideLater(one);
    expect(given().at(-1)).toEqual([HomeItemType.MESSAGE, message, false]);
  });

  test('is requested again while its home or a service is unavailable', async () => {
    answersActs();
    const id = await one.give(other, act());
    await settles(one, id);
    await came(HomeItemType.RESULT);
    await lose(id);
    await run(`update federation.logs set lost_epoch = epoch, lost_seq = settled_seq, lost_at = $1`, [
      new Date(homes.clock.now()),
    ]);
    one.given.splice(0);
    other.cut((_, response) => {
      response.writeHead(503).end();
      return true;
    });
    await one.run('pull-items');
    other.cut(null);
    one.away(true);
    homes.clock.advance(2 * minute);
    await one.run('pull-items');
    one.away(false);
    expect(given()).toEqual([]);
    expect(await lostOf()).not.toBeNull();
    homes.clock.advance(2 * minute);
    await one.run('pull-items');
    expect(given()).toEqual(returned(id));
    expect(await lostOf()).toBeNull();
  });

  test('counts only with this home’s signature', async () => {
    answersActs();
    const id = await one.give(other, act());
    await settles(one, id);
    await came(HomeItemType.RESULT);
    await lose(id);
    await other.service.run({
      text: `update federation.received_acts set item = replace(item, 'cancel_approval', 'remind_approval')`,
    });
    one.given.splice(0);
    await one.run('pull-items');
    expect(given()).toEqual([]);
  });
});

const lostOf = async () => {
  const text = 'select lost_at as at from federation.logs';
  return (await one.service.database.db.one<{ at: Date | null }>({ text })).at;
};
