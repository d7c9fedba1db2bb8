import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Course, type MeetingAct, type MeetingSide, nextMeeting, statusAt } from './meeting.ts';
import { dueAt, isFree, nextOffer, type Offer, type OfferAct } from './offer.ts';

const hour = 3_600_000;
const starts = [10, 20, 30, 40].map((hours) => hours * hour);
/** Long enough that each time overlaps the next. */
const long = 12 * hour;
const people = ['ada', 'ben', 'cleo'];
const bookings = ['m1', 'm2', 'm3', 'm4'];

const offer = (times: number, lasting = long): Offer => ({
  status: 'open',
  slots: starts.map((at) => ({ starts: at, ends: at + lasting, meeting: null })),
  holds: [],
  busy: [],
  times,
  booked: 0,
  expires_at: new Date(35 * hour),
});

const at = fc.constantFrom(...starts);
const who = fc.constantFrom(...people);
const offerActs: fc.Arbitrary<OfferAct> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('book' as const),
      booker: who,
      slot: at,
      meeting: fc.constantFrom(...bookings),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      holder: who,
      slot: at,
      until: fc.constant(0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('free' as const), meeting: fc.constantFrom(...bookings) }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...bookings), fc.constantFrom(...starts, 15 * hour), fc.constantFrom(hour, long))
      .map(([meeting, from, lasting]) => ({
        ...{ kind: 'move' as const, meeting },
        ...{ starts: from, ends: from + lasting },
      })),
  },
  fc.constant<OfferAct>({ kind: 'withdraw' }),
  fc.constant<OfferAct>({ kind: 'pass' }),
);
const offerSteps = fc.array(fc.tuple(offerActs, fc.integer({ min: 0, max: 3 * hour })), {
  minLength: 8,
  maxLength: 30,
});

function attempt<State>(next: () => State, before: State): { after: State; refusal?: string } {
  try {
    return { after: next() };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return { after: before, refusal: error.details.code ?? error.kind };
  }
}

interface Period {
  starts: number;
  ends: number;
}
const overlap = (one: Period, other: Period) => one.starts < other.ends && other.starts < one.ends;

/** The model of an offer as plain maps: who has which time, when each meeting is, and who holds what until when. */
interface Model {
  taken: Map<number, string>;
  busy: Map<string, Period>;
  holds: Map<string, { slot: number; until: number }>;
  live: Set<string>;
}

test('an offer is taken once every other time is past or overlaps one of its meetings', () => {
  const booked = nextOffer(
    offer(2, 30 * hour),
    { kind: 'book', booker: 'ada', slot: 20 * hour, meeting: 'm1' },
    0,
  );
  expect([booked.status, dueAt(booked)]).toEqual(['taken', null]);
  const again = nextOffer(booked, { kind: 'free', meeting: 'm1' }, 0);
  expect(again.status).toBe('open');
  // By then, only the first time is free.
  const some = nextOffer(offer(3), { kind: 'book', booker: 'ada', slot: 30 * hour, meeting: 'm1' }, 0);
  expect([some.status, dueAt(some)]).toEqual(['open', new Date(10 * hour)]);
  expect(nextOffer(some, { kind: 'pass' }, 10 * hour).status).toBe('expired');
  const away = { kind: 'move', meeting: 'm1', starts: 60 * hour, ends: 61 * hour } as const;
  expect(dueAt(nextOffer(some, away, 0))).toEqual(new Date(35 * hour));
  // A remote home may report an offer that it has not closed yet.
  expect(dueAt({ ...booked, status: 'open' })).toEqual(new Date(0));
});

describe('invariants of an offer', () => {
  const walk = (check: (before: Offer, after: Offer, model: Model, now: number, refusal?: string) => void) =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), offerSteps, (times, steps) => {
        let state = offer(times);
        let now = 0;
        const model: Model = { taken: new Map(), busy: new Map(), holds: new Map(), live: new Set() };
        for (const [given, later] of steps) {
          now += later;
          const act: OfferAct = given.kind === 'hold' ? { ...given, until: now + hour } : given;
          // Guaranteed by callers: a meeting is booked once, and only existing ones move or end.
          if (act.kind === 'book' && model.live.has(act.meeting)) continue;
          if ((act.kind === 'free' || act.kind === 'move') && !model.live.has(act.meeting)) continue;
          const { after, refusal } = attempt(() => nextOffer(state, act, now), state);
          if (refusal === undefined) remember(model, act);
          check(state, after, model, now, refusal);
          state = after;
        }
      }),
      { numRuns: 300 },
    );

  function remember(model: Model, act: OfferAct): void {
    const drop = (meeting: string) => {
      for (const [slot, one] of model.taken) if (one === meeting) model.taken.delete(slot);
    };
    if (act.kind === 'hold') model.holds.set(act.holder, act);
    if (act.kind === 'book') {
      model.taken.set(act.slot, act.meeting);
      model.busy.set(act.meeting, { starts: act.slot, ends: act.slot + long });
      model.live.add(act.meeting);
      model.holds.delete(act.booker);
    }
    if (act.kind === 'move') {
      drop(act.meeting);
      if (starts.includes(act.starts)) model.taken.set(act.starts, act.meeting);
      model.busy.set(act.meeting, act);
    }
    if (act.kind === 'free') {
      drop(act.meeting);
      model.live.delete(act.meeting);
      model.busy.delete(act.meeting);
    }
  }

  test('each time has the meeting that took it last, and no meeting has two times', () => {
    walk((_, { slots, booked, times }, { taken, live }) => {
      expect(slots.map(({ meeting }) => meeting)).toEqual(starts.map((start) => taken.get(start) ?? null));
      const meetings = slots.flatMap(({ meeting }) => meeting ?? []);
      expect(new Set(meetings).size).toBe(meetings.length);
      expect(booked).toBe(live.size);
      expect(booked).toBeLessThanOrEqual(times);
    });
  });

  test('no two meetings overlap', () => {
    walk((_, { busy }, model) => {
      expect(new Map(busy.map(({ meeting, starts, ends }) => [meeting, { starts, ends }]))).toEqual(
        new Map([...model.busy].map(([meeting, { starts, ends }]) => [meeting, { starts, ends }])),
      );
      for (const one of busy)
        expect(busy.filter((other) => other !== one && overlap(one, other))).toEqual([]);
    });
  });

  test('a held time is free to its holder only, and no time is free once it or the offer is over', () => {
    walk((_, after, { busy, holds }, now) => {
      for (const slot of after.slots)
        for (const person of people) {
          const byOther = [...holds].some(
            ([holder, hold]) =>
              holder !== person &&
              hold.until > now &&
              overlap({ starts: hold.slot, ends: hold.slot + long }, slot),
          );
          const free = isFree(after, slot, person, now);
          const met = [...busy.values()].some((period) => overlap(period, slot));
          if (met || slot.starts <= now || after.status !== 'open') expect(free).toBe(false);
          else if (!byOther) expect(free).toBe(true);
        }
    });
  });

  test('a withdrawn or expired offer stays so, and a refused act changes nothing', () => {
    walk((before, after, _, now, refusal) => {
      if (before.status === 'withdrawn' || before.status === 'expired')
        expect(after.status).toBe(before.status);
      if (refusal !== undefined) {
        expect(after).toBe(before);
        expect(['slot_taken', 'not_waiting', 'bad_field']).toContain(refusal);
      }
      expect(dueAt(after) === null).toBe(after.status !== 'open');
      const passed = nextOffer(after, { kind: 'pass' }, now);
      expect(nextOffer(passed, { kind: 'pass' }, now)).toBe(passed);
    });
  });

  test('booking a taken time is refused with the free times', () => {
    const booked = nextOffer(
      offer(4, hour),
      { kind: 'book', booker: 'ada', slot: starts[0]!, meeting: 'm1' },
      0,
    );
    const held = nextOffer(booked, { kind: 'hold', holder: 'cleo', slot: starts[1]!, until: hour }, 0);
    let thrown: unknown;
    try {
      nextOffer(held, { kind: 'book', booker: 'ben', slot: starts[0]!, meeting: 'm2' }, 0);
    } catch (error) {
      thrown = error;
    }
    const free = starts.slice(2).map((start) => new Date(start).toISOString());
    expect(thrown).toMatchObject({ details: { code: 'slot_taken', free } });
  });
});

const course: Course = {
  status: 'booked',
  starts_at: new Date(10 * hour),
  ends_at: new Date(11 * hour),
  sequence: 0,
  moved_from: null,
  move: null,
  cancelled_by: null,
  reason: null,
};
const side = fc.constantFrom<MeetingSide>(0, 1);
const meetingActs: fc.Arbitrary<MeetingAct> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(side, fc.integer({ min: 1, max: 40 })).map(
      ([by, hours]): MeetingAct => ({
        kind: 'propose',
        move: { by, starts: hours * hour, ends: (hours + 1) * hour, reason: '', at: 0 },
      }),
    ),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('accept' as const), by: side }) },
  fc.record({ kind: fc.constant('decline' as const), by: side }),
  fc.record({ kind: fc.constant('cancel' as const), by: side, reason: fc.constant('') }),
);

test('a meeting moves only when the other side accepts, and its sequence rises with every change for calendars', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(meetingActs, fc.integer({ min: 0, max: hour })), { minLength: 4, maxLength: 20 }),
      (steps) => {
        let state = course;
        let now = 0;
        for (const [act, later] of steps) {
          now += later;
          const before = state;
          const { after, refusal } = attempt(() => nextMeeting(before, act, now), before);
          const ended = statusAt(before, now) !== 'booked';
          if (ended) expect(after).toBe(before);
          if (refusal !== undefined) expect(after).toBe(before);
          if (ended && refusal !== undefined) expect(refusal).toBe('already_settled');
          const times = ({ starts_at, ends_at }: Course) => [starts_at.getTime(), ends_at.getTime()];
          const changed = String(times(after)) !== String(times(before));
          if (changed) {
            expect(act.kind).toBe('accept');
            expect(before.move?.by).toBe('by' in act && act.by === 0 ? 1 : 0);
            expect(times(after)).toEqual([before.move?.starts, before.move?.ends]);
            expect([after.moved_from, after.move]).toEqual([before.starts_at, null]);
          }
          const told = changed || after.status !== before.status;
          expect(after.sequence).toBe(before.sequence + (told ? 1 : 0));
          state = after;
        }
      },
    ),
    { numRuns: 300 },
  );
});
