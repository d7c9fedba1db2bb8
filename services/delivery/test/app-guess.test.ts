import { createHmac } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { DeliveryState } from '@hearth/proto/delivery/v1/app_deliveries';
import { anonymous } from '@hearth/rpc';
import { describe, expect, test } from '@jest/globals';
import { home } from './each-apps.ts';
import { ids, type KnownPerson } from './stand-ins.ts';

/** Longer than the app's timeout. */
const timeoutMs = 8_000;
const ask = (person: KnownPerson | { id: string }) =>
  home.guesses.askGuess(
    {
      person: person.id,
      decision: 41n,
      title: 'Friday',
      group: home.club.id,
      questions: [
        { id: 1n, kind: 'when', prompt: 'When?', options: ['2026-03-06T19:00', '2026-03-06T20:00'] },
        { id: 2n, kind: 'bring', prompt: 'What?' },
      ],
      history: [{ question: 'When?', answer: 'at 8', at: timestampFromMs(0) }],
    },
    { caller: anonymous, timeoutMs },
  );
const answers = (guesses: unknown) => ({ status: 200, body: JSON.stringify({ guesses }) });

describe('a guess', () => {
  test('is requested from the person’s app, with a signature, and checked', async () => {
    home.first.next(
      answers([
        { question_id: 1, answer: ['2026-03-06T20:00'], reason: 'as always' },
        { question_id: 1, answer: [] },
        { question_id: 2, answer: 7 },
        { question_id: 3, answer: 'x' },
      ]),
    );
    const { guesses } = await ask(home.ada);
    expect(guesses).toMatchObject([{ questionId: 1n, reason: 'as always' }]);
    expect(guesses[0]!.answer).toMatchObject({
      kind: {
        case: 'listValue',
        value: { values: [{ kind: { case: 'stringValue', value: '2026-03-06T20:00' } }] },
      },
    });
    const [{ body, raw, signature }] = home.first.arrived as [(typeof home.first.arrived)[0]];
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'guess',
      at: '2026-03-01T12:00:00.000Z',
      data: {
        decision: { id: 41, title: 'Friday', group: printId('grp', home.club.id) },
        person: printId('per', home.ada.id),
        questions: [
          { id: 1, kind: 'when', prompt: 'When?', options: ['2026-03-06T19:00', '2026-03-06T20:00'] },
          { id: 2, kind: 'bring', prompt: 'What?', options: [] },
        ],
        history: [{ question: 'When?', answer: 'at 8', at: '1970-01-01T00:00:00.000Z' }],
      },
    });
    const moment = home.clock.now() / 1_000;
    const mac = createHmac('sha256', home.one.secrets[0]!).update(`${moment}.${raw}`).digest('hex');
    expect(signature).toBe(`t=${moment},v1=${mac}`);
    expect(home.second.arrived).toEqual([]);
    // The log also has what was dropped from the answer; the event is never replayed, and not part of
    // catching up.
    const byApp = home.by(home.appCaller(home.one));
    const { deliveries } = await byApp.listDeliveries({ type: 'guess' });
    const { attempts, status } = await byApp.getDelivery({ id: body.id });
    expect([deliveries.map(({ id }) => id), status]).toEqual([[body.id], DeliveryState.DELIVERED]);
    expect(attempts).toMatchObject([
      {
        status: 200,
        dropped: [
          'guesses[1].question_id: was guessed before',
          'guesses[2].answer: must be a text of 1 to 500 characters',
          'guesses[3].question_id: must be the id of a question that was asked',
        ],
      },
    ]);
    expect((await byApp.replayDelivery({ id: body.id })).replayed).toBe(0);
    expect((await byApp.listAppEvents({})).events).toEqual([]);
  });

  test.each([
    ['an error', { status: 500, body: '{"guesses":[{"question_id":2,"answer":"cake"}]}' }],
    ['nothing', { status: 200 }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['too much', { status: 200, body: 'x'.repeat(70_000) }],
    ['a broken connection', 'breaks' as const],
  ])('is empty after %s', async (_, manner) => {
    home.first.next(manner);
    expect((await ask(home.ada)).guesses).toEqual([]);
    expect(home.first.arrived).toHaveLength(1);
  });

  test('is given up after five seconds, and requested once', async () => {
    home.first.next('hangs');
    const began = performance.now();
    expect((await ask(home.ada)).guesses).toEqual([]);
    const took = performance.now() - began;
    expect([took > 4_900, took < 7_000]).toEqual([true, true]);
    expect(home.first.arrived).toHaveLength(1);
  });
});

describe('no app is asked', () => {
  test('about a child whose guardian does not allow AIs', async () => {
    expect((await ask(home.kit)).guesses).toEqual([]);
    expect(home.first.arrived).toEqual([]);
    Object.assign(home.kit, { aiShare: true });
    home.clock.advance(31_000);
    home.first.next(answers([{ question_id: 2, answer: 'a cake' }]));
    expect((await ask(home.kit)).guesses).toMatchObject([{ questionId: 2n }]);
  });

  test('about a person without an app, or whose app has no address or subscription', async () => {
    home.ada.app = '';
    expect((await ask(home.ada)).guesses).toEqual([]);
    expect((await ask({ id: ids.uuid() })).guesses).toEqual([]);
    await home.changeApp(home.other, { eventTypes: ['notify'] }, ['event_types']);
    expect((await ask(home.bob)).guesses).toEqual([]);
    await home.changeApp(home.other, { eventTypes: [], webhookUrl: '' }, ['webhook_url']);
    expect((await ask(home.bob)).guesses).toEqual([]);
    expect([home.first.arrived, home.second.arrived]).toEqual([[], []]);
  });
});
