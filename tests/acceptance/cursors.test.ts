import type { ApiClient } from '@hearth/testkit/home';
import { expect, test } from '@jest/globals';
import { ask } from '../support/approvals.ts';
import { newApp, newPerson } from '../support/apps.ts';
import { expectStatus } from '../support/home.ts';
import { badField } from '../support/refusals.ts';

const words = /^cursor: must be the next_cursor of an earlier answer to the same request/;
const page = async (of: ApiClient, path: string) => expectStatus(await of.get(path), 200).body;

test('a cursor continues only its own list, with the same filters and for the same caller', async () => {
  const app = await newApp();
  const [ann, bob] = [await newPerson(app), await newPerson(app)];
  for (let count = 0; count < 3; count += 1) await ask(ann, [bob.address]);
  const { approvals, next_cursor: cursor } = await page(ann, '/v0/approvals?status=waiting&limit=1');
  const rest = await page(ann, `/v0/approvals?status=waiting&limit=2&cursor=${cursor}`);
  expect(new Set([...approvals, ...rest.approvals].map(({ id }) => id)).size).toBe(3);
  expect(rest.next_cursor).toBeNull();

  const { id, at } = approvals[0];
  const uuid = id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const place = Buffer.from(`${Date.parse(at)},${uuid}`).toString('base64url');
  for (const forged of [place, 'x'.repeat(16) + place, cursor.slice(0, -1), cursor.slice(1), `${cursor}A`])
    badField(await ann.get(`/v0/approvals?status=waiting&cursor=${forged}`), 'cursor', words);
  for (const path of ['approvals', 'approvals?status=approved', 'remote-asks', 'decisions', 'groups'])
    badField(await ann.get(`/v0/${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`), 'cursor', words);
  badField(await bob.get(`/v0/approvals?status=waiting&cursor=${cursor}`), 'cursor', words);
});

test('a list continues after an entry with a long name', async () => {
  const ann = await newPerson(await newApp());
  const homes = ['a', 'b'].map((letter) => `@${`${letter.repeat(60)}.`.repeat(4)}example`);
  for (const home of homes) expectStatus(await ann.put(`/v0/blocks/${home}`, {}), 200);
  const first = await page(ann, '/v0/blocks?limit=1');
  const second = await page(ann, `/v0/blocks?limit=1&cursor=${first.next_cursor}`);
  expect([...second.blocks, ...first.blocks].map(({ target }) => target)).toEqual(homes);
});
