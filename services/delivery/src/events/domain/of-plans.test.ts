import { create } from '@bufbuild/protobuf';
import { PlanChangedSchema, PlanSettledSchema } from '@hearth/proto/events/v1/events';
import { CallerKind } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import { inWords } from '../../../test/in-words.ts';
import { knownActor } from './actor.ts';
import type { View } from './app-event.ts';
import { planEvents } from './of-plans.ts';

const { activity, notice, wakeUp } = planEvents.planChanged;
const itself = knownActor(undefined);
const ada = { ...itself, kind: CallerKind.PERSON, id: 'ada', person: 'ada', who: 'Ada' };
const plan = {
  id: '01900000-0000-7000-8000-000000000001',
  title: 'Rehearsal',
  group: { id: '01900000-0000-7000-8000-000000000002', handle: 'choir', name: 'Choir' },
  options: 2,
  hiddenFrom: 'cleo',
};
const changed = (what: string, more: object = {}) => create(PlanChangedSchema, { plan, what, ...more });

describe('a plan', () => {
  test('is listed only for people who see it', () => {
    const row = activity(changed('proposed', { viewers: ['ada', 'ben'] }), ada);
    expect(inWords(row)).toEqual({
      action: 'plan.proposed',
      summary: 'Ada proposed times to meet: Rehearsal',
      group: plan.group.id,
      subjects: ['ada', 'ben'],
      hiddenFrom: 'cleo',
    });
    expect(activity(changed('approve', { viewers: ['ada'] }), itself)).toBeNull();
  });

  test('wakes the AIs of people it asks', () => {
    expect(wakeUp(changed('proposed', { wakes: ['ben'] }))).toMatchObject({
      data: { plan: 'pln_01900000000070008000000000000001', title: 'Rehearsal', options: 2 },
      people: ['ben'],
      groups: [plan.group.id],
    });
    expect(wakeUp(changed('approve'))).toBeNull();
  });

  test.each([
    ['proposed', 'plan', 'Ada proposes times to meet'],
    ['approve', 'plan', 'One time works for everyone and is waiting for your approval'],
    ['clash', 'clash', 'No time works for everyone: choose one'],
    ['settle', 'plan', 'A plan is waiting for you to settle it'],
    ['cancelled', 'plan', 'Ada cancelled a plan'],
  ])('notifies at the stage %s', (what, kind, title) => {
    const needs = [
      { person: 'ben', byAi: false },
      { person: 'dan', about: 'kid' },
    ];
    expect(inWords(notice(changed(what, { needs, note: 'Too late' }), ada))).toEqual([
      expect.objectContaining({
        person: 'ben',
        about: null,
        kind,
        stage: what,
        title,
        body: 'Rehearsal: Too late',
        except: 'ada',
      }),
      expect.objectContaining({ person: 'dan', about: 'kid' }),
    ]);
  });

  test('is an outcome for apps once it is settled', () => {
    const settled = create(PlanSettledSchema, {
      plan,
      when: '2027-05-03',
      summary: 'Mon, 3 May 2027',
      by: { id: 'ada' },
      people: [{ id: 'ada', name: 'Ada' }],
      apps: ['app'],
    });
    const draft = planEvents.planSettled.app(settled);
    expect(draft).toMatchObject({ apps: ['app'], needs: { people: ['ada', 'ada', 'cleo'] } });
    const view = {
      personId: ({ id }: { id: string }) => `per_${id}`,
      person: ({ id, name }: { id: string; name: string }) => ({ id: `per_${id}`, name }),
    } as unknown as View;
    expect(draft?.data(view)).toEqual({
      kind: 'plan',
      id: 'pln_01900000000070008000000000000001',
      status: 'settled',
      group: 'grp_01900000000070008000000000000002',
      title: 'Rehearsal',
      summary: 'Mon, 3 May 2027',
      when: '2027-05-03',
      by: 'per_ada',
      people: [{ person: 'per_ada', name: 'Ada' }],
      hiddenFrom: ['per_cleo'],
    });
  });
});
