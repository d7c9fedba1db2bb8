import { asHearthError } from '@hearth/errors';
import {
  GetThreadRequestSchema,
  ListMessagesRequestSchema,
  ReplyMessageRequestSchema,
} from '@hearth/proto/messages/v1/messages';
import { describe, expect, test } from '@jest/globals';
import { readBody, readQuery } from './query.ts';
import { createReader } from './read/read-message.ts';
import { testBounds } from './testing/test-bounds.ts';
import { RuledSchema, ScalarsSchema, ShapesSchema } from './testing/test-messages.ts';

const { readMessage } = createReader({ bounds: testBounds });

const id = 'msg_0190c5a1b2c37d4e8f90a1b2c3d4e5f6';

function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    const { message, details } = asHearthError(error);
    return { message, ...details };
  }
  throw new Error('it was taken');
}

describe('a query', () => {
  test('is converted to the types of its fields', () => {
    const query = new URLSearchParams('unread=true&wait=25&box=inbox&from=%40anna.ai&limit=007');
    expect(readQuery(ListMessagesRequestSchema, query)).toStrictEqual({
      unread: true,
      wait: 25,
      box: 'inbox',
      from: '@anna.ai',
      limit: 7,
    });
  });

  test('may be given as a record, with its path', () => {
    expect(
      readQuery(GetThreadRequestSchema, { limit: '20', cursor: undefined }, { id: 'thr_1' }),
    ).toStrictEqual({
      limit: 20,
      id: 'thr_1',
    });
  });

  test('encodes a list as a repeated parameter', () => {
    const query = 'many_int32=1&many_int32=-2&many_string=a&many_bool=false&one_double=-1.5';
    expect(readQuery(ScalarsSchema, new URLSearchParams(query))).toStrictEqual({
      many_int32: [1, -2],
      many_string: ['a'],
      many_bool: [false],
      one_double: -1.5,
    });
    expect(readQuery(RuledSchema, { items: ['a', 'b'] })).toStrictEqual({ items: ['a', 'b'] });
  });

  test.each([
    ['unread=True&wait=%2025', { unread: true, wait: 25 }],
    ['unread=FALSE', { unread: false }],
    ['wait=２５&box=Inbox', { wait: 25, box: 'inbox' }],
  ])('accepts %s in the spellings of programs and keyboards', (query, json) => {
    expect(readQuery(ListMessagesRequestSchema, new URLSearchParams(query))).toStrictEqual(json);
  });

  test('accepts a time', () => {
    const json = readQuery(RuledSchema, { until: '2026-07-01T09:30:00Z' });
    expect(readMessage(RuledSchema, { ...json, items: [id] })).toMatchObject({
      until: { seconds: 1_782_898_200n },
    });
  });

  test.each([
    ['wait=soon', 'wait: must be a whole number'],
    ['wait=', 'wait: must be a whole number'],
    ['wait=1e3', 'wait: must be a whole number'],
    ['wait=2.5', 'wait: must be a whole number'],
    ['wait=9999999999999999999', 'wait: must be a whole number'],
    ['unread=yes', 'unread: must be true or false'],
    ['unread=1', 'unread: must be true or false'],
    ['limit=0', 'limit: must be a whole number, 1 to 100; got 0'],
  ])('%s is refused as in a body', (query, message) => {
    const json = readQuery(ListMessagesRequestSchema, new URLSearchParams(query));
    expect(refusal(() => readMessage(ListMessagesRequestSchema, json)).message).toBe(message);
  });

  test('with an unknown parameter is refused, with the nearest known one', () => {
    expect(refusal(() => readQuery(ListMessagesRequestSchema, { unred: 'true' }))).toEqual({
      message:
        'there is no parameter "unred"; did you mean "unread"? ' +
        'Known parameters: unread, wait, box, thread, from, since, limit, cursor',
      code: 'unknown_field',
      field: 'unred',
    });
    expect(refusal(() => readQuery(GetThreadRequestSchema, { x: '1' }, { id: 'thr_1' })).message).toMatch(
      /Known parameters: limit, cursor$/,
    );
    expect(refusal(() => readQuery(GetThreadRequestSchema, new URLSearchParams('__proto__=1'))).code).toBe(
      'unknown_field',
    );
  });

  test('with a repeated scalar parameter is refused', () => {
    expect(refusal(() => readQuery(ListMessagesRequestSchema, new URLSearchParams('wait=1&wait=1')))).toEqual(
      {
        message: 'wait: must be given once; it was given 2 times',
        code: 'bad_field',
        field: 'wait',
      },
    );
  });

  test.each(['data={}', 'counts=1', 'inners=1'])('cannot carry %s', (query) => {
    expect(refusal(() => readQuery(ShapesSchema, new URLSearchParams(query))).message).toMatch(
      /: cannot be given as a parameter$/,
    );
  });

  test('with nested values, as some parsers produce, is refused', () => {
    expect(refusal(() => readQuery(RuledSchema, { raw: { a: '1' } } as never)).message).toBe(
      'raw: must be given as plain text',
    );
  });
});

describe('a body with a path', () => {
  const path = { id };

  test('merges them into one object', () => {
    expect(readBody(ReplyMessageRequestSchema, { text: 'Yes' }, path)).toStrictEqual({ text: 'Yes', id });
    expect(readBody(ReplyMessageRequestSchema, { text: 'Yes', id }, path)).toStrictEqual({ text: 'Yes', id });
    expect(readBody(ReplyMessageRequestSchema, { text: 'Yes', id: null }, path)).toStrictEqual({
      text: 'Yes',
      id,
    });
    expect(readBody(ReplyMessageRequestSchema, undefined, path)).toStrictEqual({ id });
  });

  test("leaves the caller's object unchanged", () => {
    const body = { text: 'Yes' };
    readBody(ReplyMessageRequestSchema, body, path);
    expect(body).toStrictEqual({ text: 'Yes' });
  });

  test('that differs from its path is refused', () => {
    expect(refusal(() => readBody(ReplyMessageRequestSchema, { id: 'msg_2' }, { id: 'msg_1' }))).toEqual({
      message: 'id: is "msg_1" in the path and "msg_2" in the body; give it once',
      code: 'bad_field',
      field: 'id',
    });
    expect(refusal(() => readQuery(GetThreadRequestSchema, { id: 'thr_2' }, { id: 'thr_1' })).field).toBe(
      'id',
    );
    for (const other of [{ toString: 1 }, [id], true]) {
      expect(refusal(() => readBody(ReplyMessageRequestSchema, { id: other }, path)).code).toBe('bad_field');
    }
  });

  test.each([[[]], ['text'], [5], [false]])('cannot be %j', (body) => {
    expect(refusal(() => readBody(ReplyMessageRequestSchema, body, path)).code).toBe('bad_json');
  });

  test('whose path names no field is a mistake in the declaration', () => {
    expect(refusal(() => readBody(ReplyMessageRequestSchema, {}, { nothing: '1' })).code).toBe('internal');
  });
});
