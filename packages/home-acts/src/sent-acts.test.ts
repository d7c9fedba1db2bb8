import { expect, test } from '@jest/globals';
import { createSentActs, type SentAct } from './sent-acts.ts';

const acts = createSentActs({ every() {} } as never, 'approvals', { copies: false });
const errorOf = (status: number, error: object | null = {}) =>
  acts.errorOf({
    home: 'else.example',
    status,
    error: error && JSON.stringify(error),
  } as SentAct);

test("a refusal is quoted as the other home's text, without hidden characters", () => {
  const refused = errorOf(400, {
    error: 'this is \u202eover\n\0 now',
    code: 'already_settled',
    field: 'answer',
  });
  expect(refused).toMatchObject({
    kind: 'bad_request',
    message: 'else.example refused it: "this is over now"',
    details: { code: 'already_settled', field: 'answer' },
  });
  expect(errorOf(403, { error: 'x'.repeat(9_000), needs_person: true })?.message.length).toBeLessThan(400);
  expect(errorOf(404, null)).toMatchObject({
    kind: 'not_found',
    message: 'else.example refused it',
    details: { code: 'not_found' },
  });
});

test.each([401, 405, 415, 429, 500, 599])('status %d means that the other home is unreachable', (status) => {
  const refused = errorOf(status, { error: 'sign in again', code: 'bad_key', field: 'a\nb' });
  expect([refused?.kind, refused?.details]).toEqual(['unavailable', { code: 'home_unreachable' }]);
});

test('an accepted answer is not a refusal', () => {
  expect(errorOf(200)).toBeNull();
});

test('an undelivered answer is reported in the words of this home', () => {
  expect(errorOf(0, null)).toMatchObject({ kind: 'unavailable', details: { code: 'home_unreachable' } });
});
