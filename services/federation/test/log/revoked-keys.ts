import { day, hour } from '@hearth/clock';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import { HomeKeyStatus, KeysService } from '@hearth/proto/federation/v1/keys';
import { readClaimedKid } from '@hearth/signing';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import type { TestHome } from '../start-homes.ts';
import { endOfLog, failing, givenTo, homes, later, one, openItems, other, settles } from './fixture.ts';

describe('a revoked key of this home', () => {
  const keysAt = async () =>
    (await other.service.client(HomesService).refetchHome({ home: one.name })).keys.map(({ kid, status }) => [
      kid,
      status,
    ]);

  test('signs no pending item, and the other home is notified', async () => {
    const keys = one.service.client(KeysService);
    const before = (await keys.listKeys({})).keys.find(({ status }) => status === HomeKeyStatus.ACTIVE)!;
    other.cut((request, response) => request.method === 'POST' && Boolean(response.destroy()));
    // The next key did not exist yet when this was written.
    const waitsLongest = await one.give(other);
    await failing('attempts > 0');
    homes.clock.advance(hour);
    const { key: next } = await keys.rotateKey({});
    await keysAt();
    homes.clock.advance(25 * hour);
    await keysAt();
    const waits = await one.give(other);
    await failing('attempts > 0');
    await keys.revokeKey({ kid: before.kid });
    await eventually(async () => (await openTypes()).includes('notice'));
    other.cut(null);
    await later(one, 7 * hour);
    await settles(one, waits);
    await settles(one, waitsLongest);
    const item = other.given.find(({ id }) => id.endsWith(waits))!;
    expect(readClaimedKid(JSON.parse(item.itemJson).signature)).toBe(next!.kid);
    await eventually(async () => (await openTypes()).length === 0);
    expect(await keysAt()).toContainEqual([before.kid, HomeKeyStatus.REVOKED]);
  });

  test('signs no fetched item: what it signed is signed again, and accepted', async () => {
    const keys = one.service.client(KeysService);
    const sent = await one.give(other);
    await settles(one, sent);
    const { kid } = (await keys.listKeys({})).keys.find(({ status }) => status === HomeKeyStatus.ACTIVE)!;
    await keys.rotateKey({});
    await keysAt();
    homes.clock.advance(25 * hour);
    await keysAt();
    const before = await endOfLog();
    await keys.revokeKey({ kid });
    expect(await keysAt()).toContainEqual([kid, HomeKeyStatus.REVOKED]);
    // The notice is in the log, and was sent: a push in flight while time passes would be refused as too old.
    await eventually(async () => (await endOfLog()) > before && (await openTypes()).length === 0);
    await forgetFrom(other, sent);
    other.given.splice(0);
    await other.run('pull-items');
    expect(givenTo(other)).toEqual([sent]);
    expect(readClaimedKid(JSON.parse(other.given[0]!.itemJson).signature)).not.toBe(kid);
  });

  test('leaves fetched items that settled past their lifetime with new dates', async () => {
    const sent = await one.give(other);
    await settles(one, sent);
    homes.clock.advance(15 * day);
    await one.run('send-due');
    await forgetFrom(other, sent);
    other.given.splice(0);
    await other.run('pull-items');
    expect(givenTo(other)).toEqual([sent]);
  });

  /** Puts that home back to its state before the item arrived. */
  async function forgetFrom(home: TestHome, id: string): Promise<void> {
    const { seq } = await one.service.database.db.one<{ seq: number }>({
      text: 'select seq from federation.sent_items where id = $1',
      values: [id],
    });
    await home.service.run({
      text: 'update federation.logs set in_seq = $1, pulled_at = null',
      values: [seq - 1],
    });
    await home.service.run({
      text: `delete from federation.received_items where id like '%' || $1`,
      values: [id],
    });
  }

  const openTypes = async () =>
    (
      await one.service.database.db.query<{ type: string }>({
        text: `${openItems} order by seq`,
      })
    ).map(({ type }) => type);
});
