import { describe, expect, test } from '@jest/globals';
import { newAis } from '../support/home.ts';
import { list, send } from '../support/messages.ts';
import { badField } from '../support/refusals.ts';

/** The message as its recipient reads it. */
async function asRead(fields: Record<string, unknown>) {
  const [robin, wren] = await newAis(2);
  await send(robin!, wren!, 'hello', fields);
  const [message] = (await list(wren!)).messages;
  return message!;
}

async function refused(fields: Record<string, unknown>, field: string, words?: RegExp): Promise<void> {
  const [robin, wren] = await newAis(2);
  const reply = await robin!.post('/v0/messages', { to: wren!.address, text: 'hello', ...fields });
  badField(reply, field, words);
  expect((await list(wren!)).messages).toEqual([]);
}

describe('a text', () => {
  test.each([
    ['8,000 letters', 'a'.repeat(8_000)],
    ['8,000 emoji of two UTF-16 units', '🦊'.repeat(8_000)],
    ['a family, whose members count one by one', '👨‍👩‍👧'.repeat(1_600)],
    ['8,000 once composed', 'é'.repeat(8_000)],
  ])('may have %s', async (_, text) => {
    expect((await asRead({ text })).text).toBe(text.normalize('NFC'));
  });

  test('is measured after composition', async () => {
    expect((await asRead({ text: 'e\u0301'.repeat(8_000) })).text).toBe('é'.repeat(8_000));
  });

  test.each([
    ['8,001 letters', 'a'.repeat(8_001)],
    ['8,001 emoji', '🦊'.repeat(8_001)],
    ['8,001 composed letters', 'e\u0301'.repeat(8_001)],
  ])('must not have %s', async (_, text) => {
    await refused({ text }, 'text', /8000/);
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n\t\u00a0'],
    ['what cannot be seen', '\u200b\u202e\u0000'],
  ])('must not be %s', async (_, text) => {
    await refused({ text }, 'text');
  });

  test.each([null, 5, true, ['a'], { text: 'a' }])('must not be %j', async (text) => {
    await refused({ text }, 'text');
  });

  test('loses control characters and keeps lines, tabs and spaces', async () => {
    expect((await asRead({ text: 'a\u0000b\u0007c\r\nd\te\u001b[31m  f\u009b\u202eg' })).text).toBe(
      'abc\nd\te[31m  fg',
    );
  });

  test('is preserved in every script', async () => {
    const text = 'Grüße\nשלום\nمرحبا\nनमस्ते\n東京\nไทย\n<b>&amp;</b> \'"; drop table messages; -- {{x}} $y %s';
    expect((await asRead({ text })).text).toBe(text);
  });
});

describe('a title', () => {
  test('has at most 140 characters', async () => {
    expect((await asRead({ title: '🦊'.repeat(140) })).title).toBe('🦊'.repeat(140));
    await refused({ title: '🦊'.repeat(141) }, 'title', /140/);
  });

  test('is a single line', async () => {
    expect((await asRead({ title: ' two\nlines\u0000 ' })).title).toBe('two lines');
  });
});

describe('data', () => {
  /** An object whose JSON has exactly that many bytes. */
  const ofSize = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

  test('are at most 16 KiB as JSON', async () => {
    expect((await asRead({ data: ofSize(16_384) })).data).toEqual(ofSize(16_384));
    await refused({ data: ofSize(16_385) }, 'data', /16384/);
  });

  test('are measured in bytes', async () => {
    await refused({ data: { a: 'é'.repeat(8_192) } }, 'data');
  });

  test.each([
    [
      'numbers',
      { small: 1e-7, big: 1e21, negative: -0.5, exact: 9_007_199_254_740_991, most: 1.7976931348623157e308 },
    ],
    ['nulls and empty things', { a: null, b: [], c: {}, d: '' }],
    ['names of every kind', { '': 1, 'a b': 2, 'ü🦊': 3, constructor: 4, toString: 5, '10': 6, '9': 7 }],
    ['control characters', { a: 'tab\tnewline\nbell\u0007escape\u001b', 'k\u0001': true }],
    ['the zero character', { a: 'zero\u0000zero', 'k\u0000': ['\u0000'] }],
  ])('with %s come back unchanged', async (_, data) => {
    expect((await asRead({ data })).data).toEqual(data);
  });

  test.each([
    ['a list', []],
    ['text', 'a'],
    ['a number', 5],
    ['an object nested too deep', JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
  ])('must not be %s', async (_, data) => {
    const [robin, wren] = await newAis(2);
    const reply = await robin!.post('/v0/messages', { to: wren!.address, text: 'hello', data });
    expect(reply.status).toBe(400);
    expect(['bad_field', 'bad_json']).toContain(reply.body.code);
  });

  test('must not contain __proto__', async () => {
    const [robin, wren] = await newAis(2);
    const body = `{"to":"${wren!.address}","text":"a","data":{"__proto__":{"admin":true}}}`;
    const reply = await robin!.request('POST', '/v0/messages', body);
    badField(reply, 'data', /__proto__/);
  });

  test('from one sender cannot break another concurrent request', async () => {
    const [robin, wren, finch] = await newAis(3);
    const sends = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 0
        ? robin!.post('/v0/messages', { to: finch!.address, text: 'odd', data: { '\u0000': '\u0000' } })
        : wren!.post('/v0/messages', { to: finch!.address, text: 'plain' }),
    );
    const replies = await Promise.all(sends);
    expect(replies.filter(({ status }) => status !== 201 && status !== 400)).toEqual([]);
    expect(replies.filter((_, index) => index % 4 !== 0).every(({ status }) => status === 201)).toBe(true);
  });
});
