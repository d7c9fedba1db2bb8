import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { expect, test } from '@jest/globals';
import { audiences } from './audiences.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

test('each side with a mailable person gets a mail with the calendar file', () => {
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

test('a remote side is notified by its own home, and a remote meeting is named by its reference', () => {
  const side = (n: number, elsewhere: boolean) => ({
    id: uuid(n),
    person: uuid(n),
    address: '@a',
    elsewhere,
  });
  const reference = `r:home.example:${printId('mtg', uuid(7))}`;
  const drafts = (what: string, bySide: number, sides: ReturnType<typeof side>[]) => {
    const value = {
      meeting: uuid(9),
      reference,
      title: 'Call',
      what,
      sides,
      bySide,
      startsAt: { seconds: 1n },
    };
    const event = create(EventSchema, {
      id: printId('evt', uuid(8)),
      at: { seconds: 1n },
      data: { case: 'meetingChanged' as const, value },
    });
    const { activity, mail, notice, wakeUp } = audiences;
    return {
      mail: mail.drafts(event).map(({ part }) => part),
      noticed: notice.drafts(event).map(({ person, link }) => [person, link]),
      woken: wakeUp.drafts(event).map(({ data }) => data),
      listed: activity.drafts(event).flatMap(({ subjects }) => subjects),
    };
  };
  const away = [side(1, true), side(2, false)];
  const toHere = drafts('moved', 0, away);
  expect(toHere).toMatchObject({
    mail: [1],
    noticed: [[uuid(2), `/meetings/${encodeURIComponent(reference)}`]],
  });
  expect(toHere.woken).toMatchObject([{ meeting: reference }]);
  expect(toHere.listed).not.toContain(uuid(1));
  expect(drafts('moved', 1, away)).toMatchObject({ mail: [1], noticed: [], woken: [] });
});
