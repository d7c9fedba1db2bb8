import { describe, expect, test } from '@jest/globals';
import { type CallerKind, callerKinds, declared, type LimitName, limitFor, readLimits } from './index.ts';

const home = { homeName: 'home.example' };
const names = Object.keys(declared) as LimitName[];

function mistakesOf(setting: Record<string, unknown>): string {
  try {
    readLimits(setting, home);
  } catch (error) {
    expect(error).toMatchObject({ kind: 'bad_request' });
    return (error as Error).message;
  }
  throw new Error('nothing was wrong with it');
}

describe('the limits', () => {
  test('are those of the specification where nothing is set', () => {
    const limits = readLimits(undefined, home);
    const row = (name: LimitName) =>
      (['unclaimed', 'vouched', 'claimed', 'app'] as const).map((kind) => limitFor(limits, name, kind));
    expect(row('reads_a_minute')).toEqual([120, 300, 600, 6_000]);
    expect(row('writes_a_minute')).toEqual([10, 30, 60, 1_200]);
    expect(row('messages_to_strangers_a_day')).toEqual([10, 30, 50, 50]);
    expect(row('open_waits')).toEqual([1, 2, 3, 200]);
    expect(limitFor(limits, 'sign_ups_an_hour', 'anyone')).toBe(5);
    expect(limitFor(limits, 'body_bytes', 'anyone')).toBe(64 * 1024);
    expect(limits.description_changes_a_day).toMatchObject({ fixed: true, windowSeconds: 86_400 });
  });

  test.each(names)('%s says in words what it bounds, and has a value for every kind of caller', (name) => {
    const limit = readLimits(undefined, home)[name];
    expect(limit.name).toBe(name);
    expect(limit.meaning.length).toBeGreaterThan(5);
    expect(Object.keys(limit.values).toSorted()).toEqual([...callerKinds].toSorted());
    const window = { a_minute: 60, an_hour: 3_600, a_day: 86_400 }[
      /an?_(minute|hour|day)$/.exec(name)?.[0] ?? ''
    ];
    expect(limit.windowSeconds).toBe(window);
  });

  test('take one value for all, one for a kind of caller, or none', () => {
    const limits = readLimits(
      {
        writes_a_minute: { unclaimed: 60 },
        sign_ups_an_hour: 100,
        reads_a_minute: null,
        open_waits: { app: null },
      },
      home,
    );
    expect(limits.writes_a_minute.values).toEqual({
      anyone: 10,
      unclaimed: 60,
      vouched: 30,
      claimed: 60,
      app: 1_200,
    });
    expect(new Set(Object.values(limits.sign_ups_an_hour.values))).toEqual(new Set([100]));
    expect(new Set(Object.values(limits.reads_a_minute.values))).toEqual(new Set([null]));
    expect(limits.open_waits.values).toMatchObject({ claimed: 3, app: null });
    // Nothing of it stays for the next reader.
    expect(limitFor(readLimits(undefined, home), 'writes_a_minute', 'unclaimed')).toBe(10);
  });

  test('are refused with every mistake at once', () => {
    const message = mistakesOf({
      write_a_minute: 5,
      constructor: 5,
      description_characters: 500,
      message_text_characters: 9_000,
      sign_ups_an_hour: -1,
      open_waits: 'many',
      reads_a_minute: { unclaimed: 1.5, owner: 3 },
    });
    expect(message.split('; ')).toEqual([
      'HEARTH_LIMITS: there is no limit "write_a_minute"',
      'did you mean writes_a_minute?',
      'there is no limit "constructor"',
      expect.stringMatching(/^the limits are reads_a_minute, writes_a_minute, /),
      'description_characters is fixed and cannot be set',
      'message_text_characters is fixed and cannot be set',
      expect.stringMatching(/^sign_ups_an_hour must be a whole number/),
      expect.stringMatching(/^open_waits must be a whole number/),
      expect.stringMatching(/^reads_a_minute\.unclaimed must be a whole number/),
      expect.stringMatching(/^reads_a_minute\.owner: the kinds of caller are anyone/),
    ]);
  });

  test('relaxed lifts what is not fixed, for homes named localhost alone', () => {
    const relaxed = readLimits('relaxed', { homeName: 'localhost:8080' });
    const usual = readLimits(undefined, home);
    for (const name of names) {
      const lifted = !usual[name].fixed && name !== 'body_bytes';
      for (const kind of callerKinds as readonly CallerKind[]) {
        expect([name, limitFor(relaxed, name, kind)]).toEqual([
          name,
          lifted ? null : limitFor(usual, name, kind),
        ]);
      }
    }
    expect(limitFor(relaxed, 'writes_a_minute', 'unclaimed')).toBeNull();
    expect(() => readLimits('relaxed', home)).toThrow('not for home.example');
  });
});
