import { create } from '@bufbuild/protobuf';
import { DecisionChangedSchema } from '@hearth/proto/events/v1/events';
import { CallerKind } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import { inWords } from '../../../test/in-words.ts';
import { knownActor } from './actor.ts';
import { decisionEvents } from './of-decisions.ts';

const { activity, notice, wakeUp } = decisionEvents.decisionChanged;
const itself = knownActor(undefined);
const ada = { ...itself, kind: CallerKind.PERSON, id: 'ada', person: 'ada', who: 'Ada' };
const decision = {
  id: '01900000-0000-7000-8000-000000000001',
  number: 42n,
  title: 'Dinner',
  group: { id: '01900000-0000-7000-8000-000000000002', handle: 'club', name: 'Club' },
  questions: 2,
  hiddenFrom: 'cleo',
};
const changed = (what: string, more: object = {}) =>
  create(DecisionChangedSchema, { decision, what, ...more });

describe('a decision', () => {
  test('is listed only for people who see it', () => {
    const row = activity(changed('started', { viewers: ['ada', 'ben'] }), ada);
    expect(inWords(row)).toEqual({
      action: 'decision.started',
      summary: 'Ada started a decision: Dinner',
      group: decision.group.id,
      subjects: ['ada', 'ben'],
      hiddenFrom: 'cleo',
    });
    expect(activity(changed('closing_soon', { viewers: ['ada'] }), itself)).toBeNull();
  });

  test('wakes the AIs of people it waits for', () => {
    expect(wakeUp(changed('started', { wakes: ['ben'] }))).toMatchObject({
      data: { decision: '42', title: 'Dinner', questions: 2 },
      people: ['ben'],
      groups: [decision.group.id],
    });
    expect(wakeUp(changed('proposed'))).toBeNull();
  });

  test('notifies a person with an AI before it closes, and not when it starts', () => {
    const needs = [
      { person: 'ben', byAi: true },
      { person: 'cleo', about: 'kid' },
    ];
    const told = (what: string) =>
      notice(changed(what, { needs }), ada).map(({ person, about }) => [person, about]);
    expect(told('started')).toEqual([['cleo', 'kid']]);
    expect(told('closing_soon')).toEqual([
      ['ben', null],
      ['cleo', 'kid'],
    ]);
  });

  test.each([
    ['clash', 'clash', 'Two answers clash: choose one'],
    ['proposed', 'decision', 'A proposal is waiting for your approval'],
    ['review', 'decision', 'A decision is waiting for you as an organizer'],
    ['cancelled', 'decision', 'Ada cancelled a decision'],
  ])('notifies at the stage %s', (what, kind, title) => {
    expect(inWords(notice(changed(what, { needs: [{ person: 'ben' }], note: 'Too early' }), ada))).toEqual([
      expect.objectContaining({
        person: 'ben',
        kind,
        stage: what,
        title,
        body: 'Dinner: Too early',
        link: '/d/42',
        except: 'ada',
        again: false,
      }),
    ]);
  });
});
