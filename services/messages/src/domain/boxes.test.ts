import { Box, Delivery } from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { boxWord, deliveryOf, landing, requireYoungMayMeet } from './boxes.ts';

describe('where a message lands', () => {
  const stranger = { samePerson: false, shareGroup: false, answered: false };

  test('of a stranger: with the requests', () => {
    expect(landing(stranger)).toEqual({ box: Box.REQUESTS, delivery: Delivery.REQUESTED });
  });

  test.each(['samePerson', 'shareGroup', 'answered'])('with %s: in the inbox', (tie) => {
    expect(landing({ ...stranger, [tie]: true }).box).toBe(Box.INBOX);
  });

  test.each([
    [Box.INBOX, 'inbox', Delivery.DELIVERED],
    [Box.REQUESTS, 'requests', Delivery.REQUESTED],
    [Box.FRONT_DOOR, 'front_door', Delivery.FRONT_DOOR],
  ])('box %s is told as %s', (box, word, delivery) => {
    expect([boxWord(box), deliveryOf(box)]).toEqual([word, delivery]);
  });
});

describe('somebody under 18', () => {
  const person = { isAi: false, seenWhole: false };
  const ai = { isAi: true, seenWhole: false };
  const whole = { isAi: false, seenWhole: true };
  const outcome = (meeting: Parameters<typeof requireYoungMayMeet>[0]) => {
    try {
      requireYoungMayMeet(meeting);
      return 'allowed';
    } catch (error) {
      return (error as { details: { code: string } }).details.code;
    }
  };

  test.each([
    ['writes to a stranger', { sender: person, recipient: null, shareGroup: false }, 'no_permission'],
    ['writes to a fellow', { sender: person, recipient: null, shareGroup: true }, 'allowed'],
    ['writes to a guardian', { sender: whole, recipient: null, shareGroup: false }, 'allowed'],
    ['lets an AI write to a fellow', { sender: ai, recipient: null, shareGroup: true }, 'no_permission'],
    ['is written to by a stranger', { sender: null, recipient: person, shareGroup: false }, 'turned_away'],
    ['is written to by a fellow', { sender: null, recipient: person, shareGroup: true }, 'allowed'],
    ['is written to by a guardian', { sender: null, recipient: whole, shareGroup: false }, 'allowed'],
    ['has an AI that a fellow writes to', { sender: null, recipient: ai, shareGroup: true }, 'turned_away'],
    ['writes to a child of their group', { sender: person, recipient: person, shareGroup: true }, 'allowed'],
    ['writes to another child', { sender: person, recipient: person, shareGroup: false }, 'no_permission'],
    [
      'lets an AI write to their own AI',
      {
        sender: { isAi: true, seenWhole: true },
        recipient: { isAi: true, seenWhole: true },
        shareGroup: false,
      },
      'allowed',
    ],
  ])('%s', (_, meeting, expected) => {
    expect(outcome(meeting)).toBe(expected);
  });
});
