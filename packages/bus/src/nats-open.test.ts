import { expect, test } from '@jest/globals';
import { encodeFrame } from './frame.ts';
import { createHomeMac } from './home-mac.ts';
import { createOpener } from './nats-open.ts';

const mac = createHomeMac(new Uint8Array(32).fill(7));
const event = (text: string) => new TextEncoder().encode(text);
const message = (seq: number, text: string, subject = 'a.b') => ({
  seq,
  subject,
  data: mac.sign(subject, encodeFrame([event(text), event('more')])),
});

function countingOpener() {
  let count = 0;
  const open = createOpener({
    open(subject, signed) {
      count += 1;
      return mac.open(subject, signed);
    },
  });
  return { open, proven: () => count };
}

test('a message for several durables is verified once, and all of them get the same bytes', () => {
  const { open, proven } = countingOpener();
  const first = open(message(1, 'one'), 'life');
  const copy = message(1, 'one');
  const second = open({ ...copy, data: Uint8Array.from(copy.data) }, 'life');
  expect(first.map((bytes) => new TextDecoder().decode(bytes))).toEqual(['one', 'more']);
  expect(second[0]).toBe(first[0]);
  expect(proven()).toBe(1);
  // Each of these is a different message.
  open(message(2, 'one'), 'life');
  open(message(1, 'one'), 'next life');
  open(message(1, 'other'), 'next life');
  expect(proven()).toBe(4);
});

test('a message that the home has not sent is refused even under a known sequence number', () => {
  const open = createOpener(mac);
  const good = message(1, 'one');
  open(good, 'life');
  const forged = Uint8Array.from(good.data);
  forged[forged.length - 1]! ^= 1;
  expect(() => open({ ...good, data: forged }, 'life')).toThrow('was not sent by this home');
  expect(() => open({ ...good, subject: 'a.c' }, 'life')).toThrow('was not sent by this home');
  expect(open(good, 'life')).toHaveLength(2);
});

test('old messages are forgotten', () => {
  const { open, proven } = countingOpener();
  for (let seq = 1; seq <= 65; seq += 1) open(message(seq, 'one'), 'life');
  open(message(65, 'one'), 'life');
  expect(proven()).toBe(65);
  open(message(1, 'one'), 'life');
  expect(proven()).toBe(66);
});
