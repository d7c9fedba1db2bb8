import { readFileSync } from 'node:fs';
import { HomePolicy, HomesService } from '@hearth/proto/federation/v1/homes';
import { recordTelemetry } from '@hearth/telemetry/testing';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { failing, one, openItems, other, settles } from './fixture.ts';

describe('the operator', () => {
  test('sees what is waiting, since when, and which logs were restored or reset', async () => {
    const operator = one.service.client(HomesService);
    const shown = () => operator.showHome({ home: other.name });
    await eventually(async () => (await one.service.database.db.query({ text: openItems })).length === 0);
    other.cut((request, response) => request.method === 'POST' && Boolean(response.destroy()));
    await one.give(other);
    await failing('attempts > 0');
    expect(await shown()).toMatchObject({
      ...{
        unsent: 1,
        lastError: expect.stringContaining('it broke off (connection_refused)'),
        failingSince: expect.anything(),
      },
      restored: expect.stringContaining('has settled'),
    });
    const anew = await operator.beginHomeAnew({ home: other.name });
    expect(anew).toMatchObject({ unsent: 0, beganAnewAt: expect.anything() });
    const { failingSince, lastError, restored } = anew;
    expect([failingSince, lastError, restored]).toEqual([undefined, undefined, undefined]);
  });
});

test('pending and sent items of a log from the previous version are known by number', async () => {
  const run = (text: string) => one.service.run({ text });
  // Two were settled, one was given up, one is in flight, one waits; in the other log nothing waits.
  await run(`
    insert into federation.logs (home, destination, epoch, last_seq, settled_seq) values
      ('a.old.example', gen_random_uuid(), 5, 5, 2), ('b.old.example', gen_random_uuid(), 5, 3, 2)`);
  await run(`
    insert into federation.sent_items (home, epoch, seq, event, id, rev, type, service, kid, item, expires_at, created_at, sent_at, settled_at)
    select home, epoch, n, gen_random_uuid(), n, 1, 'message', '', '', '', now(), now(), case when n <= 4 then now() end, case when n <= 3 then now() end
    from federation.logs, generate_series(1, last_seq) n where home like '%.old.example'`);
  const migration = readFileSync(
    new URL('../../migrations/0008-settled-by-number.sql', import.meta.url),
    'utf8',
  );
  const [fill] = /update logs[^;]*/.exec(migration)!;
  await run(`${fill.replaceAll(/(?<=update |from )/g, 'federation.')} where l.home like '%.old.example'`);
  const logs = await one.service.database.db.query({
    text: `
      select settled_seq as settled, handed_seq as handed from federation.logs
      where home like '%.old.example' order by home`,
  });
  expect(logs).toEqual([
    { settled: 3, handed: 4 },
    { settled: 3, handed: 3 },
  ]);
  await run(`delete from federation.sent_items where home like '%.old.example'`);
  await run(`delete from federation.logs where home like '%.old.example'`);
});

describe('the metrics of homes', () => {
  test('name homes with a policy, a hundred at most, and no strangers', async () => {
    const telemetry = await recordTelemetry();
    try {
      const operator = one.service.client(HomesService);
      const mode = HomePolicy.ALLOWED;
      await operator.setHomePolicy({ home: other.name, mode });
      await one.service.run({
        text: `
          insert into federation.homes (home, policy, created_at)
          select 'z' || n || '.example', 'limited', now() from generate_series(1, 150) n`,
      });
      await one.run('count-homes');
      await settles(one, await one.give(other));
      await one.give('stranger.example');
      await eventually(async () => (await openTypes('stranger.example')).length === 1);
      await one.run('count-homes');
      const points = async (name: string) =>
        ((await telemetry.metrics()).find(({ descriptor }) => descriptor.name === name)?.dataPoints ??
          []) as {
          value: number;
          attributes: Record<string, string>;
        }[];
      const unsent = new Map(
        (await points('hearth.home.unsent')).map(({ value, attributes }) => [
          attributes['hearth.home'],
          value,
        ]),
      );
      expect(unsent.size).toBe(101);
      expect([unsent.get(other.name), unsent.get('other')! > 0]).toEqual([0, true]);
      expect([...unsent.keys()]).not.toContain('stranger.example');
      expect(await points('hearth.home.items')).toContainEqual(
        expect.objectContaining({
          attributes: { 'hearth.home': other.name, 'hearth.direction': 'sent', 'hearth.outcome': 'ok' },
        }),
      );
    } finally {
      await telemetry.stop();
      await one.service.run({ text: `delete from federation.homes where home like 'z%'` });
    }
  });

  const openTypes = async (home: string) =>
    await one.service.database.db.query({
      text: `${openItems} and home = $1`,
      values: [home],
    });
});
