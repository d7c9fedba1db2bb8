import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { rulesOf } from '@hearth/proto-json';
import { describe, expect, test } from '@jest/globals';
import { callerKinds, type LimitName, limitFor, readLimits, sizeOf, sizesOf } from './index.ts';

const home = { homeName: 'home.example' };
const names = Object.keys(readLimits(undefined, home)) as LimitName[];

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
  test('have their declared values by default', () => {
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

  test.each(names)('%s has a description and a value for every kind of caller', (name) => {
    const limit = readLimits(undefined, home)[name];
    expect(limit.name).toBe(name);
    expect(limit.meaning.length).toBeGreaterThan(5);
    expect(Object.keys(limit.values).toSorted()).toEqual([...callerKinds].toSorted());
    const window = { a_minute: 60, an_hour: 3_600, a_day: 86_400 }[
      /an?_(minute|hour|day)$/.exec(name)?.[0] ?? ''
    ];
    expect(limit.windowSeconds).toBe(window);
  });

  test('accept one value for all, a value for one kind of caller, or none', () => {
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
    // Nothing leaks into the next call.
    expect(limitFor(readLimits(undefined, home), 'writes_a_minute', 'unclaimed')).toBe(10);
  });

  test('are refused with all mistakes listed at once', () => {
    const message = mistakesOf({
      write_a_minute: 5,
      constructor: 5,
      description_characters: 500,
      message_text_characters: null,
      name_characters: 0,
      away_note_characters: { unclaimed: 50 },
      page_entries: 1_001,
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
      expect.stringMatching(/^message_text_characters must be one whole number of at least 1/),
      expect.stringMatching(/^name_characters must be one whole number/),
      expect.stringMatching(/^away_note_characters must be one whole number/),
      expect.stringMatching(/^page_entries must be one whole number from 1 to 1000/),
      expect.stringMatching(/^sign_ups_an_hour must be a whole number/),
      expect.stringMatching(/^open_waits must be a whole number/),
      expect.stringMatching(/^reads_a_minute\.unclaimed must be a whole number/),
      expect.stringMatching(/^reads_a_minute\.owner: the kinds of caller are anyone/),
    ]);
  });

  test('never exceed the bounds of the protocol', () => {
    expect(
      mistakesOf({ subscriptions_at_once: { unclaimed: 4 }, subscriptions_a_day: { anyone: null } }),
    ).toBe(
      'HEARTH_LIMITS: subscriptions_at_once.unclaimed can be at most 3; subscriptions_a_day.anyone can be at most 10',
    );
    const limits = readLimits({ subscriptions_at_once: 50, subscriptions_a_day: { unclaimed: 2 } }, home);
    expect(limits.subscriptions_at_once.values).toMatchObject({ unclaimed: 3, vouched: 50, app: 50 });
    expect(limitFor(limits, 'subscriptions_a_day', 'unclaimed')).toBe(2);
  });

  test('set sizes for every kind of caller, as far as they fit together', () => {
    const set = { message_text_characters: 10, page_entries: 5, body_bytes: 20_000, request_id_days: 1 };
    const limits = readLimits(set, home);
    for (const [name, value] of Object.entries(set)) {
      expect(sizeOf(limits, name as keyof typeof set)).toBe(value);
      expect(new Set(Object.values(limits[name as LimitName].values))).toEqual(new Set([value]));
    }
    expect(sizesOf(limits).get('message_text_characters')).toBe(10);
    expect(sizesOf(limits).get('message_title_characters')).toBe(140);
    expect(sizesOf(limits).has('reads_a_minute')).toBe(false);
    expect(mistakesOf({ message_text_characters: 70_000 })).toBe(
      'HEARTH_LIMITS: message_text_characters is 70000 and cannot be reached with a body_bytes of 65536; set one of them',
    );
    expect(mistakesOf({ body_bytes: 10_000 })).toContain('message_data_bytes is 16384 and cannot be reached');
    expect(mistakesOf({ body_bytes: 1_000_000 })).toContain('page_entries times body_bytes is 100000000');
    expect(mistakesOf({ body_bytes: 2 ** 30 })).toContain('body_bytes must be one whole number from 1 to');
    expect(sizeOf(readLimits({ body_bytes: 1_000_000, page_entries: 8 }, home), 'page_entries')).toBe(8);
  });

  const sizes = [...sizesOf(readLimits(undefined, home)).keys()] as LimitName[];

  test.each(['localhost', 'localhost:8080'])('relaxed lifts every use at %s, and no size', (homeName) => {
    const relaxed = readLimits('relaxed', { homeName });
    const usual = readLimits(undefined, home);
    expect(Object.keys(relaxed)).toEqual(names);
    for (const name of names) {
      const stays = sizes.includes(name) || usual[name].fixed === true;
      for (const kind of callerKinds) {
        expect([name, limitFor(relaxed, name, kind)]).toEqual([
          name,
          stays ? limitFor(usual, name, kind) : (usual[name].most?.[kind] ?? null),
        ]);
      }
    }
    expect(limitFor(relaxed, 'writes_a_minute', 'unclaimed')).toBeNull();
    expect(limitFor(relaxed, 'open_waits', 'unclaimed')).toBeNull();
    expect(limitFor(relaxed, 'message_text_characters', 'unclaimed')).toBe(8_000);
  });

  test.each([
    'home.example',
    'localhost.example',
    'localhost:',
    'localhost:80.example',
    'my.localhost',
    'localhost2',
    'localhost\n',
  ])('relaxed is refused at %j', (homeName) => {
    expect(() => readLimits('relaxed', { homeName })).toThrow(`not for ${homeName}`);
  });
});

/** The limits that request fields refer to, with the kind of each field. */
function namedByFields(): [limit: string, field: string][] {
  const path = createRequire(import.meta.url).resolve('@hearth/proto/descriptors');
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(path)));
  const messages = [...registry].filter((type) => type.kind === 'message');
  return messages
    .flatMap((message) => message.fields)
    .map((field): [string, string] => [rulesOf(field).limit, field.toString()])
    .filter(([limit]) => limit !== '');
}

describe('a field that names a limit', () => {
  const named = namedByFields();
  const settable = readLimits(undefined, home);

  test.each(named)('%s of %s names an existing, configurable size', (limit) => {
    expect(sizesOf(settable).has(limit)).toBe(true);
    expect(settable[limit as LimitName].fixed).toBeUndefined();
  });

  test('occurs for several limits', () => {
    expect(new Set(named.map(([limit]) => limit)).size).toBeGreaterThan(5);
  });
});
