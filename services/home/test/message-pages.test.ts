import { wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/** Two people write to each other on their home's pages, until one of them blocks the other. */

const home = await startWholeHome();
const [ada, ben] = await Promise.all([
  home.signIn('ada@example.com', { name: 'Ada Lovelace' }),
  home.signIn('ben@example.com', { name: 'Ben Bowline' }),
]);
const { body: bens } = await home.api(ben.cookie('hearth_session')!).get('/v0/me');

afterAll(() => home.stop());

test('a first message is accepted, answered, read and taken back on the pages', async () => {
  expect(wordsOf(await ben.open('/messages'))).toContain('No messages yet');
  const nobody = await ada.send(await ada.open('/messages/new'), '/messages/new', {
    ...{ to: '@no-such-person', text: 'Hello?' },
  });
  expect(nobody.status).toBe(400);
  const nowhere = await ada.send(nobody, '/messages/new', { to: '', text: 'Hello?' });
  expect([nowhere.status, nowhere.text.includes('id="to-error"')]).toEqual([400, true]);
  expect(wordsOf(nobody)).toContain('There’s nobody you can write to at this address.');
  expect(nobody.text).toContain('>Hello?</textarea>');

  const first = await ada.send(nobody, '/messages/new', {
    to: bens.address,
    text: 'Dear <b>Ben</b>,\nhow are you?',
  });
  expect(wordsOf(first)).toContain('The recipient will decide whether to accept it.');
  const { pathname: thread } = new URL(first.url);

  const waiting = await ben.open('/messages');
  for (const words of ['Ada Lovelace 1 unread', 'Dear <b>Ben</b>, how are you?', 'waiting for you to accept'])
    expect(wordsOf(waiting)).toContain(words);
  const seen = await ben.open(thread);
  expect(wordsOf(seen)).toContain('You haven’t accepted this conversation yet');
  const [, request = ''] = /href="(\/requests\/msg_[^"]*)"/.exec(seen.text) ?? [];
  await ben.send(await ben.open(request), request, { do: 'yes' });
  expect(wordsOf(await ben.open('/messages'))).not.toContain('unread');

  const late = await ada.send(await ada.open(thread), thread, {
    ...{ do: 'take-back', message: request.slice('/requests/'.length) },
  });
  expect(late.status).toBe(400);
  expect(wordsOf(late)).toContain('This has already been done or answered.');

  const open = await ben.open(thread);
  const answered = await ben.send(open, thread, { text: 'Fine.' });
  expect(wordsOf(answered)).toContain('✓ Sent.');
  // Pressed twice, it counts once.
  await ben.send(open, thread, { text: 'Fine.' });
  expect(wordsOf(await ada.open('/messages'))).toContain('Ben Bowline 1 unread');
  const mine = /name="message" value="([^"]*)"/.exec(answered.text)?.[1] ?? '';
  const taken = await ben.send(answered, thread, { do: 'take-back', message: mine });
  expect(wordsOf(taken)).toContain('Message unsent.');
  const empty = wordsOf(await ada.open(thread));
  expect(empty).toContain('The sender unsent this message.');
  expect(empty).not.toContain('Fine.');

  const both = { do: 'both', reason: 'spam', text: 'Too much' };
  expect(wordsOf(await ben.send(taken, thread, both))).toContain('Blocked, and reported');
  const refused = await ada.send(await ada.open(thread), thread, { do: 'reply', text: 'Still there?' });
  expect(refused.status).toBe(400);
  expect(wordsOf(refused)).toContain('The recipient doesn’t accept this from you.');
  expect(refused.text).toContain('>Still there?</textarea>');
});
