import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { t } from '@hearth/i18n';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { expect, test } from '@jest/globals';
import { audiences, table } from './audiences.ts';
import { type EventCase, type Family, internal, quiet, tableOf } from './family.ts';

// Each of these lines must fail to compile; `@ts-expect-error` verifies it.

test('the build fails while an audience of an event is undecided', () => {
  const undecided = {
    // @ts-expect-error `callback` is missing
    groupPosted: { activity: null, app: null, wakeUp: null, notice: null, mail: null },
  } satisfies Family;
  expect(undecided).not.toHaveProperty('groupPosted.callback');
});

test('the build fails for an unknown event, and for a mapper of another audience', () => {
  // @ts-expect-error there is no such event
  const unknown = { groupPainted: internal } satisfies Family;
  const mail = () => ({ action: '', summary: t('events.a-group'), subjects: [] });
  // @ts-expect-error a row of activity is no mail
  const mistaken = { groupPosted: { ...internal, mail } } satisfies Family;
  expect([unknown, mistaken]).toHaveLength(2);
});

test('the build fails while an event is in no family or in two', () => {
  const { groupPosted, ...others } = table;
  tableOf([{ groupPosted }, others]);
  // @ts-expect-error groupPosted is in no family
  tableOf([others]);
  // @ts-expect-error groupPosted is in two families
  tableOf([{ groupPosted }, others, { groupPosted: { activity: null, app: null, ...quiet } }]);
});

test('every declared event has an entry for every audience', () => {
  const events = EventSchema.oneofs[0]!.fields.map(({ localName }) => localName);
  expect(Object.keys(table).sort()).toEqual([...events].sort());
  for (const event of events)
    expect([event, Object.keys(table[event as EventCase]).sort()]).toEqual([
      event,
      Object.keys(audiences).sort(),
    ]);
});

test('an event that is unknown, or has no id or time, reaches nobody', () => {
  const id = 'evt_01900000000070008000000000000001';
  const at = timestampFromMs(0);
  const data = { case: 'groupPosted', value: {} } as const;
  const drafts = (event: Parameters<typeof create<typeof EventSchema>>[1]) =>
    Object.values(audiences).flatMap<object>(({ drafts }) => drafts(create(EventSchema, event)));
  expect(drafts({ id, at, data })).toHaveLength(1);
  expect(drafts({ id, at })).toEqual([]);
  expect(drafts({ id, data })).toEqual([]);
  expect(drafts({ id: 'evt_1', at, data })).toEqual([]);
});
