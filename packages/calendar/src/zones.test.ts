import { expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import ical, { type VEvent } from 'node-ical';
import { calendarFile, instantOf, localOf } from './index.ts';

const hour = 3_600_000;
const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Katmandu', 'US/Pacific', 'EST5EDT'];

/** Until the last year for which zones have rules of their own everywhere. */
const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2038, 0, 1)];

/** The times at which a zone's clocks change, to the second. */
function changesOf(zone: string): number[] {
  const offset = (at: number) => Date.parse(`${localOf(at, zone)}Z`) - at;
  const changes: number[] = [];
  for (let before = from; before < to; before += 20 * 24 * hour) {
    let [low, high] = [before, before + 20 * 24 * hour];
    if (offset(low) === offset(high)) continue;
    while (high - low > 1_000) {
      const middle = low + Math.floor((high - low) / 2_000) * 1_000;
      if (offset(middle) === offset(low)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

const isoOf = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');

const fileOf = (at: number) =>
  calendarFile({
    ...{ uid: '7@hearth.example', sequence: 0, title: 'Dinner', details: '', place: '' },
    ...{ starts: isoOf(at), ends: isoOf(at + hour), at: from, link: 'https://hearth.example/d/7' },
  });

/** Readers with their own zone rules. */
const readers: Record<string, (text: string) => number[]> = {
  'ical.js'(text) {
    const calendar = new ICAL.Component(ICAL.parse(text));
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') as ICAL.Component);
    return [event.startDate, event.endDate].map((time) => time.toUnixTime() * 1_000);
  },
  'node-ical'(text) {
    const event = Object.values(ical.sync.parseICS(text)).find((it): it is VEvent => it?.type === 'VEVENT');
    return [event!.start.getTime(), event!.end!.getTime()];
  },
};

test('a file keeps the agreed instant, and an unambiguous local time of a zone maps back to its instant', () => {
  const wrong: string[] = [];
  for (const zone of zones) {
    const changes = changesOf(zone);
    const samples = [from, Date.UTC(2026, 11, 15, 18), Date.UTC(2037, 6, 1, 12), to - 2 * hour];
    for (const at of changes) samples.push(at - hour, at - 1_000, at, at + hour);
    for (const at of samples) {
      const local = localOf(at, zone);
      const isAmbiguous = changes.some((change) => Math.abs(change - at) <= 3 * hour);
      if (!isAmbiguous && instantOf(local, zone, 'time') !== isoOf(at)) wrong.push(`${zone} ${local}`);
    }
    for (const at of samples.slice(0, 12)) {
      const text = fileOf(at);
      for (const [name, read] of Object.entries(readers))
        if (String(read(text)) !== String([at, at + hour])) wrong.push(`${name} ${zone} ${isoOf(at)}`);
    }
  }
  expect(wrong).toEqual([]);
});
