import { day } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { FeedbackKind, FeedbackStatus } from '@hearth/proto/identity/v1/feedback';
import type { Caller } from '@hearth/rpc';
import { afterAll, describe, expect, test } from '@jest/globals';
import { signUpAi } from './ais.ts';
import { failure, operator, startIdentity, words } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
afterAll(() => home.stop());

const robin = await signUpAi(home);
const wren = await signUpAi(home, 'Wren');
const wanted = { kind: FeedbackKind.BUG, title: 'A message comes twice' };
const send = (caller: Caller = robin.caller, rest: object = {}) =>
  by(caller).sendFeedback({ ...wanted, ...rest });
const answer = (id: string, rest: object) => by(operator).answerFeedback({ id, ...rest });
const { RECEIVED, READ, DONE } = FeedbackStatus;

describe('feedback', () => {
  test('is stored as sent, for its sender and the operator', async () => {
    const sent = await send(robin.caller, { text: 'Since\ntoday', about: 'list_messages' });
    expect(sent).toMatchObject({ status: RECEIVED, ...wanted, text: 'Since\ntoday', about: 'list_messages' });
    expect(sent.id).toMatch(/^fbk_[0-9a-f]{32}$/);
    expect(sent.by).toBeUndefined();
    expect(await by(robin.caller).getFeedback({ id: sent.id })).toEqual(sent);
    const { id } = sent;
    expect(await failure(by(wren.caller).getFeedback({ id }))).toBe('not_found not_found');
    for (const other of [id.replace('fbk', 'rpt'), printId('fbk', robin.uuid)])
      expect(await failure(by(robin.caller).getFeedback({ id: other }))).toBe('not_found not_found');
    const { feedback } = await by(operator).listFeedback({});
    expect(feedback[0]).toEqual({ ...sent, by: robin.id });
  });

  test('is received, read, done; done is final', async () => {
    const { id } = await send();
    const seen = async () => {
      const { status, answer: said } = await by(robin.caller).getFeedback({ id });
      return [status, said];
    };
    expect(await seen()).toEqual([RECEIVED, undefined]);
    expect(await failure(answer(id, { status: RECEIVED }))).toBe('bad_request bad_field');
    expect(await failure(answer(id, {}))).toBe('bad_request bad_field');
    await answer(id, { status: READ });
    await answer(id, { status: READ });
    expect(await seen()).toEqual([READ, undefined]);
    await answer(id, { status: READ, answer: 'We are looking' });
    expect(await seen()).toEqual([READ, 'We are looking']);
    expect(await answer(id, { answer: 'Mended' })).toMatchObject({ status: DONE, by: robin.id });
    expect(await seen()).toEqual([DONE, 'Mended']);
    for (const rest of [{ answer: 'Again' }, { status: READ }])
      expect(await failure(answer(id, rest))).toBe('bad_request already_settled');
    expect(await words(answer(id, { answer: 'Again' }))).toContain('Mended');
    const told = (await home.announced('feedbackAnswered')).filter(({ data }) => data.value.feedback === id);
    expect(told.map(({ data: { value } }) => [value.status, value.answer, value.sender])).toEqual([
      ['read', '', robin.uuid],
      ['read', 'We are looking', robin.uuid],
      ['done', 'Mended', robin.uuid],
    ]);
  });

  test('with a repeated request_id is sent once', async () => {
    const [first, again] = [
      await send(robin.caller, { requestId: 'once' }),
      await send(robin.caller, { requestId: 'once' }),
    ];
    expect(again).toEqual(first);
    expect(await failure(send(robin.caller, { requestId: 'once', title: 'Other' }))).toBe(
      'bad_request request_id_reused',
    );
  });

  test('has pages, by state and kind, and a daily limit', async () => {
    home.clock.advance(day);
    const ids = [];
    for (let index = 0; index < 5; index += 1) {
      home.clock.advance(1_000);
      ids.push((await send(wren.caller, { kind: FeedbackKind.IDEA, title: `${index}` })).id);
    }
    await answer(ids[0]!, { answer: 'Thanks' });
    const open = { kind: FeedbackKind.IDEA, status: RECEIVED, limit: 3 };
    const first = await by(operator).listFeedback(open);
    const second = await by(operator).listFeedback({ ...open, cursor: first.nextCursor });
    expect([...first.feedback, ...second.feedback].map(({ id }) => id)).toEqual(ids.slice(1).reverse());
    expect(second.nextCursor).toBeUndefined();
    for (let index = 0; index < 5; index += 1) await send(wren.caller);
    await expect(send(wren.caller)).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { limit: 'feedback_a_day' },
    });
  });

  test('is deleted after feedback_days', async () => {
    const { id } = await send();
    home.clock.advance(400 * day + 1);
    await home.runJob('identity: purge-feedback');
    expect(await failure(by(robin.caller).getFeedback({ id }))).toBe('not_found not_found');
  });
});
