import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { expect, test } from '@jest/globals';
import { audiences } from './audiences.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

test('a mail with the calendar goes to each side with a person whom a mail may reach', () => {
  const side = (n: number, unmailed: boolean) => ({ id: uuid(n), person: uuid(n), unmailed });
  const mailed = (sides: ReturnType<typeof side>[]) => {
    const value = { meeting: uuid(9), what: 'booked', sides };
    const event = {
      id: printId('evt', uuid(8)),
      at: { seconds: 1n },
      data: { case: 'meetingChanged' as const, value },
    };
    return audiences.mail.drafts(create(EventSchema, event)).map(({ part }) => part);
  };
  expect(mailed([side(1, false), side(2, false)])).toEqual([0, 1]);
  expect(mailed([side(1, true), side(2, false)])).toEqual([1]);
});
