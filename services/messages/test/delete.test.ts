import { minute } from '@hearth/clock';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { DeleteMode } from '@hearth/proto/messages/v1/messages';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startMessages } from './start-messages.ts';

const home = await startMessages();
let robin: Caller;
let wren: Caller;
let id: string;

afterAll(() => home.stop());
beforeEach(async () => {
  robin = home.newAi('robin');
  wren = home.newAi('wren');
  ({ id } = await home.send(robin, wren.address, 'a secret', { title: 'secret', data: { secret: true } }));
});

const remove = (caller: Caller, mode?: DeleteMode) =>
  home.by(caller).deleteMessage({ id, ...(mode && { mode }) });

describe('unsending a message', () => {
  test('removes all of its text from the table', async () => {
    await remove(robin, DeleteMode.RETRACT);
    const left = await home.database.db.query({
      text: `select 1 from messages.messages where id::text = $1 and (body || coalesce(title, '') || coalesce(data::text, '')) like '%secret%'`,
      values: [id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')],
    });
    expect(left).toEqual([]);
  });

  test('works for 15 minutes', async () => {
    home.clock.advance(15 * minute);
    await remove(robin, DeleteMode.RETRACT);
    const late = await home.send(robin, wren.address, 'another');
    home.clock.advance(15 * minute + 1);
    await expect(
      home.by(robin).deleteMessage({ id: late.id, mode: DeleteMode.RETRACT }),
    ).rejects.toMatchObject({ kind: 'bad_request', message: expect.stringContaining('15 minutes') });
  });

  test('is possible only for the sender', async () => {
    await expect(remove(wren, DeleteMode.RETRACT)).rejects.toThrow('only the sender');
    await expect(remove(home.newAi('stranger'), DeleteMode.RETRACT)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});
