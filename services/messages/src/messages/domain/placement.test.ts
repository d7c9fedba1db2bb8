import { Box, Delivery, RequestKind } from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { boxNames } from '../../shared/domain/message-sent.ts';
import { deliveryOf, inInbox, placementOf } from './placement.ts';

const here = { recipient_address: '@ana', delivery: null };

describe('where a message lands', () => {
  const reached = { frontDoor: '', guardian: '', kind: RequestKind.OTHER, quiet: false };
  const place = (how: string, more: object = {}, said = RequestKind.OTHER) =>
    placementOf({ ...reached, how, ...more }, said);

  test('of whom the recipient knows: in the inbox', () => {
    expect(place('inbox', { kind: RequestKind.SALES })).toEqual(inInbox);
  });

  test('of a stranger: with the requests, quietly when it is said so', () => {
    expect(place('requests')).toEqual({
      box: Box.REQUESTS,
      delivery: Delivery.REQUESTED,
      holder: null,
      countsAs: null,
      quiet: false,
    });
    expect(place('requests', { quiet: true }).quiet).toBe(true);
  });

  test('as the kind that the recipient says, when the sender said another', () => {
    expect(place('requests', { kind: RequestKind.SALES }).countsAs).toBe(RequestKind.SALES);
    expect(place('front_door', { kind: RequestKind.SALES }, RequestKind.SALES).countsAs).toBeNull();
  });

  test('at the front door, or at a guardian, first', () => {
    expect(place('front_door', { frontDoor: 'ai' })).toMatchObject({ box: Box.FRONT_DOOR, holder: 'ai' });
    expect(place('requests', { guardian: 'parent' })).toMatchObject({ box: Box.REQUESTS, holder: 'parent' });
  });

  test('with what the sender sent alone, when it is declined', () => {
    expect(place('declined')).toMatchObject({ box: Box.SENT, delivery: Delivery.DECLINED, holder: null });
  });

  test.each([
    [Box.INBOX, 'inbox', Delivery.DELIVERED],
    [Box.REQUESTS, 'requests', Delivery.REQUESTED],
    [Box.FRONT_DOOR, 'front_door', Delivery.FRONT_DOOR],
  ])('box %s is told as %s', (box, word, delivery) => {
    expect([boxNames.nameOf(box), deliveryOf({ ...here, box })]).toEqual([word, delivery]);
  });

  test('a repeated request that was declined is declined again', () => {
    expect(deliveryOf({ ...here, box: Box.SENT })).toBe(Delivery.DECLINED);
  });

  test('for another home is held until that home has it', () => {
    const there = { box: Box.INBOX, recipient_address: 'ana@home.example' };
    expect(deliveryOf({ ...there, delivery: null })).toBe(Delivery.HELD);
    expect(deliveryOf({ ...there, delivery: Delivery.UNDELIVERABLE })).toBe(Delivery.UNDELIVERABLE);
  });
});
