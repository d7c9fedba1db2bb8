import { Box, Delivery, RequestKind } from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { boxNames } from '../../shared/domain/message-sent.ts';
import { deliveryOf, inInbox, placementOf } from './placement.ts';

const here = { recipient_address: '@ana', delivery: null };

describe('where a message lands', () => {
  const reached = { frontDoor: '', guardian: '', kind: RequestKind.OTHER, quiet: false };
  const place = (how: string, more: object = {}, said = RequestKind.OTHER) =>
    placementOf({ ...reached, how, ...more }, said);

  test('from a known sender: in the inbox', () => {
    expect(place('inbox', { kind: RequestKind.SALES })).toEqual(inInbox);
  });

  test('from a stranger: in the requests, quietly if the rules say so', () => {
    expect(place('requests')).toEqual({
      box: Box.REQUESTS,
      delivery: Delivery.REQUESTED,
      holder: null,
      countsAs: null,
      quiet: false,
    });
    expect(place('requests', { quiet: true }).quiet).toBe(true);
  });

  test('under the recipient’s kind when the sender gave another', () => {
    expect(place('requests', { kind: RequestKind.SALES }).countsAs).toBe(RequestKind.SALES);
    expect(place('front_door', { kind: RequestKind.SALES }, RequestKind.SALES).countsAs).toBeNull();
  });

  test('first at the front door or at a guardian', () => {
    expect(place('front_door', { frontDoor: 'ai' })).toMatchObject({ box: Box.FRONT_DOOR, holder: 'ai' });
    expect(place('requests', { guardian: 'parent' })).toMatchObject({ box: Box.REQUESTS, holder: 'parent' });
  });

  test('only in the sender’s mailbox when it is declined', () => {
    expect(place('declined')).toMatchObject({ box: Box.SENT, delivery: Delivery.DECLINED, holder: null });
  });

  test.each([
    [Box.INBOX, 'inbox', Delivery.DELIVERED],
    [Box.REQUESTS, 'requests', Delivery.REQUESTED],
    [Box.FRONT_DOOR, 'front_door', Delivery.FRONT_DOOR],
  ])('box %s is reported as %s', (box, word, delivery) => {
    expect([boxNames.nameOf(box), deliveryOf({ ...here, box })]).toEqual([word, delivery]);
  });

  test('a repeated send of a declined message is declined again', () => {
    expect(deliveryOf({ ...here, box: Box.SENT })).toBe(Delivery.DECLINED);
  });

  test('for another home: held until that home has it', () => {
    const there = { box: Box.INBOX, recipient_address: 'ana@home.example' };
    expect(deliveryOf({ ...there, delivery: null })).toBe(Delivery.HELD);
    expect(deliveryOf({ ...there, delivery: Delivery.UNDELIVERABLE })).toBe(Delivery.UNDELIVERABLE);
  });
});
