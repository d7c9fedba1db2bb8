import { anonymous } from '@hearth/rpc';
import { describe, expect, test } from '@jest/globals';
import ical, { type VEvent } from 'node-ical';
import { book, home, told, toWren, wren } from './fixture.ts';

describe('the calendar file of a meeting', () => {
  const read = (text: string) =>
    Object.values(ical.sync.parseICS(text)).find(
      (component): component is VEvent => component?.type === 'VEVENT',
    ) as VEvent;

  test.each([
    ['in winter', '2026-03-28T10:00', '2026-03-28T09:00:00.000Z'],
    ['in summer', '2026-03-30T10:00', '2026-03-30T08:00:00.000Z'],
    ['across the change', '2026-03-28T23:30', '2026-03-28T22:30:00.000Z'],
  ])('has the right hour %s', async (_, startsAt, instant) => {
    const length = startsAt.endsWith('23:30') ? '2026-03-29T04:30' : undefined;
    const slots = [{ startsAt, ...(length !== undefined && { endsAt: length }) }];
    const { id } = await book(wren, (await toWren({ slots })).id, startsAt);
    const { text } = await home.meetingsBy(wren).getMeetingIcs({ id });
    const event = read(text);
    expect(event.start.toISOString()).toBe(instant);
    const hours = length === undefined ? 1 : 4;
    expect(event.end?.getTime()).toBe(Date.parse(instant) + hours * 3_600_000);
  });

  test('is mailed to a person without an app, with the fields calendars act on', async () => {
    const away = { timeZone: 'Asia/Tokyo' };
    const free = home.newPerson({ app: '', email: 'free@mail.example', name: 'Free <Person>', ...away });
    const { id: offer } = await home.offer(wren, {
      to: [`@${free.handle}`],
      title: 'Evil\r\nBEGIN:VALARM; x@y',
    });
    const { id, uid } = await book(free, offer);
    expect((await told(id))[0]?.sides.map(({ unmailed }) => unmailed)).toEqual([false, false]);
    const mail = async (part: number) => {
      const asked = [
        { kind: 'meeting_mail', id: uid.slice('meeting-'.length, -'@localhost:8080'.length), part },
      ];
      const answer = await home.sends.prepareSends({ sends: asked }, { caller: anonymous });
      const content = answer.sends[0]?.content;
      return content?.case === 'mail' ? content.value : null;
    };
    // The AI without an owner gets no mail.
    expect(await mail(0)).toBeNull();
    const request = await mail(1);
    expect(request).toMatchObject({
      to: 'free@mail.example',
      calendarMethod: 'REQUEST',
      reportable: wren.address,
    });
    expect(request?.calendar).toContain('METHOD:REQUEST\r\n');
    expect(request?.calendar).not.toMatch(/^BEGIN:VALARM/m);
    expect(read(request!.calendar)).toMatchObject({ uid, status: 'CONFIRMED', sequence: 0 });
    expect(request?.text).not.toContain('x@y');
    expect(request?.text).toMatch(
      / is booked for \w{3}, \d+ \w{3,4} \d{4}, \d\d:\d\d Tokyo time \(\w{3}, \d+ \w{3,4} \d{4}, \d\d:\d\d Zurich time\)\./,
    );
    await home.meetingsBy(wren).cancelMeeting({ id });
    const off = await mail(1);
    expect(off).toMatchObject({ calendarMethod: 'CANCEL' });
    expect(read(off!.calendar)).toMatchObject({ uid, status: 'CANCELLED', sequence: 1 });
  });

  test('reports at once who gets no mail: people of an app, and those without an address', async () => {
    const silent = home.newPerson({ app: '', email: '' });
    const held = home.newPerson({ email: 'held@mail.example' });
    const offer = await home.offer(home.newAi(silent), { to: ['anyone'] });
    const { id } = await book(held, offer.id);
    expect((await told(id))[0]?.sides).toMatchObject([
      { person: silent.id, unmailed: true },
      { person: held.id, unmailed: true },
    ]);
  });
});
