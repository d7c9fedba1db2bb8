import { type WebPage, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/** Two people agree on a time on their home's pages: one books it, moves it and cancels it. */

const home = await startWholeHome();
const [ada, ben] = await Promise.all([
  home.signIn('ada@example.com', { name: 'Ada Lovelace' }),
  home.signIn('ben@example.com', { name: 'Ben Bowline' }),
]);
const day = (days: number) => new Date(performance.timeOrigin + days * 86_400_000).toISOString().slice(0, 10);

afterAll(() => home.stop());

/** The action of the form below this text. */
function actBelow(page: WebPage, words: string): string | undefined {
  const [, below = ''] = page.text.split(`>${words}</summary>`);
  return /name="do" value="([^"]*)"/.exec(below)?.[1];
}

test('times are offered on the pages, to addresses or to a group', async () => {
  const page = await ada.open('/meetings/offers/new');
  expect(page.text).toContain('<option value="Europe/London" selected>');
  const fields = { title: 'A walk', to: '@ben-bowline', time_zone: 'UTC', place: 'The park' };
  const none = await ada.send(page, '/meetings/offers/new', { ...fields, time_zone: '', title: '' });
  expect(none.status).toBe(400);
  for (const words of ['Enter a title.', 'Offer at least one time.', 'Choose a city near you.'])
    expect(wordsOf(none)).toContain(words);
  const times = { 'starts-2': `${day(3)}T10:00`, 'ends-2': `${day(3)}T10:30`, 'starts-4': `${day(4)}T10:00` };
  const wrong = await ada.send(none, '/meetings/offers/new', {
    ...{ ...fields, ...times, to: '@nobody-here', 'starts-4': `${day(-3)}T10:00` },
  });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toMatch(/href="#(to|starts-4)"/);
  const made = await ada.send(wrong, '/meetings/offers/new', { ...fields, ...times, times: '2' });
  expect(wordsOf(made)).toContain('Times offered.');
  const { pathname: path } = new URL(made.url);
  expect(wordsOf(await ben.open('/meetings'))).toContain('A walk');
  expect(wordsOf(await ben.open(path))).toContain('The park');
  // Submitting the same form again creates no second offer.
  const again = await ada.send(wrong, '/meetings/offers/new', { ...fields, ...times, times: '2' });
  expect(new URL(again.url).pathname).toBe(path);

  const group = await home.api(ada.cookie('hearth_session')!).post('/v0/groups', { name: 'Walkers' });
  const form = await ada.open('/meetings/offers/new');
  const choice = /<option value="([^"]*)">Walkers/.exec(form.text)?.[1];
  const both = { ...fields, ...times, group: choice ?? '' };
  expect(wordsOf(await ada.send(form, '/meetings/offers/new', both))).toContain('not both');
  const offered = await ada.send(form, '/meetings/offers/new', { ...both, to: '' });
  expect(wordsOf(offered)).toContain('Times offered.');
  expect(group.status).toBe(201);
});

test('a time is booked, moved and cancelled on the pages', async () => {
  const offered = await home.api(ada.cookie('hearth_session')!).post('/v0/meetings/offers', {
    title: 'A call',
    to: ['anyone'],
    time_zone: 'Asia/Tokyo',
    slots: [{ starts_at: `${day(5)}T10:00` }],
  });
  expect(offered.status).toBe(201);
  const path = `/meetings/offers/${offered.body.id}`;
  const booked = await ben.send(await ben.open(path), path, { slot: offered.body.slots[0].starts_at });
  expect(wordsOf(booked).match(/Meeting booked/g)).toHaveLength(1);

  const { pathname: meeting } = new URL(booked.url);
  const move = actBelow(booked, 'Propose a new time');
  const asked = await ben.send(booked, meeting, { do: move ?? '', starts_at: `${day(6)}T11:00` });
  expect(wordsOf(asked)).toContain('The other side will be asked whether the new time works.');
  // In the reader's time zone, which the page names.
  expect(asked.text).toContain('In London time. The meeting stays the same length.');
  expect(wordsOf(asked)).toContain('11:00 to 12:00 (20:00 Tokyo time)');
  // A time other than the one on her page is not accepted.
  const seen = await ada.open(meeting);
  await ben.send(asked, meeting, { do: move ?? '', starts_at: `${day(6)}T03:00` });
  const late = await ada.send(seen, meeting);
  expect(wordsOf(late)).toContain('This changed while you had the page open.');
  const moved = await ada.send(late, meeting);
  expect(wordsOf(moved)).toContain('Meeting moved.');

  const cancel = actBelow(moved, 'Cancel meeting');
  const off = await ada.send(moved, meeting, { do: cancel ?? '', cancel_reason: 'A cold' });
  expect(wordsOf(off)).toContain('Meeting cancelled. The other side will be notified.');
  expect(wordsOf(await ben.open(meeting))).toContain('A cold');
});
