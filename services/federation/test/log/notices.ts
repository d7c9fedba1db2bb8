import { printId } from '@hearth/ids';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import { eventually, ids } from '@hearth/testkit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { endOfLog, givenTo, one, other, settles } from './fixture.ts';

describe('a notice', () => {
  test('about a person or AI goes to identity, and an unknown kind is accepted and ignored', async () => {
    const give = (body: object) =>
      one.give(other, {
        ...{ id: '', type: HomeItemType.NOTICE, homes: [{ home: other.name }], from: '', senderJson: '' },
        bodyJson: JSON.stringify(body),
      });
    await give({ kind: 'moved', address: `bea@${one.name}`, was: `ana@${one.name}`, id: 'per_1' });
    await give({ kind: 'weather', sky: 'blue' });
    await give({ kind: 'gone', address: `bea@${one.name}`, id: 'per_1' });
    await eventually(() => other.given.length === 2);
    const last = await one.give(other);
    await settles(one, last);
    expect(other.given.map(({ type, bodyJson }) => [type, JSON.parse(bodyJson).kind])).toEqual([
      [HomeItemType.NOTICE, 'moved'],
      [HomeItemType.NOTICE, 'gone'],
      [HomeItemType.MESSAGE, undefined],
    ]);
  });
});

describe('a local party known to another home', () => {
  const ana = { id: ids.uuid(), address: '@ana.ai-helper' };
  const party = printId('ai', ana.id);
  const writes = () =>
    one.give(other, {
      senderJson: JSON.stringify({
        id: party,
        kind: 'ai',
        name: 'Helper',
        name_verified: false,
        status: 'unclaimed',
      }),
    });
  const changed = () =>
    one.service.publish({ case: 'aiChanged', value: { ai: ana.id, changed: ['address'] } });
  const told = () =>
    other.given
      .filter(({ type }) => type === HomeItemType.NOTICE)
      .map(({ bodyJson }) => JSON.parse(bodyJson));
  const isTold = (count: number) => eventually(() => told().length === count);
  const at = (address: string) => `${address.slice(1)}@${one.name}`;
  beforeEach(() => void one.people.splice(0));

  test('that moves or is deleted is reported to that home, once each', async () => {
    one.people.push(ana);
    await settles(one, await writes());
    // No card is cached elsewhere, and the address did not change.
    await changed();
    one.people.splice(0, 1, { ...ana, address: '@bea.ai-helper' });
    await changed();
    await isTold(1);
    await changed();
    await one.service.publish({ case: 'aiRevoked', value: { ai: ana.id } });
    await isTold(2);
    await one.service.publish({ case: 'aiRevoked', value: { ai: ana.id } });
    await settles(one, await one.give(other));
    expect(told()).toEqual([
      { kind: 'moved', was: at('@ana.ai-helper'), address: at('@bea.ai-helper'), id: party },
      { kind: 'gone', address: at('@bea.ai-helper'), id: party },
    ]);
  });

  test('is not reported with both addresses when the new one keeps its owner private', async () => {
    one.people.push(ana);
    await settles(one, await writes());
    one.people.splice(0, 1, { ...ana, address: '@free-abc123.ai-helper', ownerPrivate: true });
    await changed();
    await isTold(1);
    expect(told()).toEqual([{ kind: 'gone', address: at('@ana.ai-helper'), id: party }]);
  });

  test('with a changed card is reported to a home that fetched the card, until it fetches again', async () => {
    one.people.push(
      { ...ana, person: true, address: '@ana' },
      { id: ids.uuid(), address: '@kit', minor: true },
    );
    const asks = (address: string) =>
      other.service
        .client(HomeQuestionsService)
        .fetchHomeCard({ address: `${address}@${one.name}` })
        .catch(() => null);
    await asks('ana');
    await asks('kit');
    const renamed = () =>
      one.service.publish({
        case: 'personChanged',
        value: { person: { id: ana.id, handle: 'ana' }, changed: ['name'] },
      });
    await renamed();
    await eventually(async () => (await sentNotices()) === 1);
    await renamed();
    const people = `select party from federation.acquaintances where party like 'per!_%' escape '!'`;
    expect(await one.service.database.db.query({ text: people })).toHaveLength(1);
    await settles(one, await one.give(other));
    expect(await sentNotices()).toBe(1);
    await one.service.publish({ case: 'accountDeleted', value: { deleted: [ana.id] } });
    await isTold(1);
    expect(told()).toEqual([{ kind: 'gone', address: `ana@${one.name}`, id: printId('per', ana.id) }]);
  });

  const sentNotices = async () =>
    (
      await one.service.database.db.query({
        text: `select from federation.sent_items where type = 'notice' and item like '%card_changed%'`,
      })
    ).length;
});

test('an item continues after items that another process numbered', async () => {
  const first = await one.give(other);
  await settles(one, first);
  const before = await endOfLog();
  await one.service.publish({ case: 'homeKeyChanged', value: { kid: 'gone', status: 'revoked' } });
  await eventually(async () => (await endOfLog()) === before + 1);
  const last = await one.give(other);
  await settles(one, last);
  expect(givenTo(other)).toEqual([first, last]);
  expect(await endOfLog()).toBe(before + 2);
});
