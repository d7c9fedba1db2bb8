import { notFound } from '@hearth/errors';
import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { fake } from '@hearth/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { startHomeWithPeople } from './home-with-people.ts';
import { expectPage } from './visitor.ts';

const path = '/meetings/offers/new';
const home = await startHomeWithPeople([
  fake(GroupsService, { listGroups: async () => ({}) }),
  fake(MeetingsService, {
    offerTimes: async () => {
      throw notFound();
    },
  }),
]);
afterAll(() => home.stop());

test.each([
  ['@nobody', 'You can’t offer times to this address. Check it.'],
  ['@ben, @nobody', 'You can’t offer times to one of these addresses.'],
  [`@ben, ${'x'.repeat(400)}`, '“xxxxxxxxxxxxxxxxxxxx…”: Use at most'],
])('an offer to the unknown %s is shown again with its values', async (to, words) => {
  const page = await home.adaAfresh.open(path);
  const filled = {
    title: 'A call',
    to,
    'starts-1': '2026-05-05T10:00',
    time_zone: 'Europe/Zurich',
    place: 'By phone',
  };
  const again = await home.adaAfresh.send(page, path, filled);
  expectPage(again, 400, words);
  for (const value of Object.values(filled)) expect(again.text).toContain(`value="${value}"`);
});
