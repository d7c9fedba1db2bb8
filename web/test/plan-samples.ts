import { t, verbatim } from '@hearth/i18n';
import type * as web from '@hearth/web';
import { planPage } from '@hearth/web';

const now = Date.UTC(2026, 4, 3, 14, 5);
const hour = 3_600_000;

/** The page of a plan, in its states. */
export function planSamples(ada: web.Frame, theirs: (text: string) => string): Record<string, string> {
  const person = (id: string, name: string, more: Partial<web.DecisionPerson> = {}): web.DecisionPerson => ({
    ...{ id, name: theirs(name), asked: true, answered: false, isViewer: false, spokenFor: false },
    ...{ guarded: false, waiting: true },
    ...more,
  });
  const people = [
    person('per_1', 'Ada Lovelace', { isViewer: true, spokenFor: true }),
    person('shp_2', 'Kit Q.', { spokenFor: true, guarded: true }),
    person('per_3', 'Ben Bowline', { answered: true, waiting: false }),
  ];
  const said = (index: number, stance: web.PlanStance['stance'], more: Partial<web.PlanStance> = {}) => ({
    ...{ person: people[index]!.id, stance },
    ...more,
  });
  const plan: web.Plan = {
    id: 'pln_7',
    title: theirs('Rehearsal'),
    details: theirs('All of the second act.'),
    where: theirs('At the boat house'),
    status: 'open',
    groupName: theirs('The choir'),
    groupAddress: '&choir',
    startedBy: { name: theirs('Robin'), address: '@ada.ai-robin' },
    options: [
      {
        id: 1,
        time: '2026-05-08T16:00:00Z',
        endsAt: '2026-05-08T18:00:00Z',
        label: theirs('before supper'),
        stances: [said(0, 'works', { by: 'ai' }), said(2, 'approve', { note: theirs('I bring the key.') })],
      },
      {
        id: 2,
        time: '2026-05-08T19:00:00Z',
        endsAt: '2026-05-08T20:00:00Z',
        stances: [said(0, 'not', { by: 'ai' }), said(1, 'works', { by: 'guardian' }), said(2, 'not')],
      },
      { id: 3, time: '2026-05-10', stances: [] },
    ],
    people,
    isClash: false,
    timeZone: 'America/New_York',
    atMs: now - 4 * hour,
    deadlineMs: now + 20 * hour,
    hiddenFrom: theirs('Grandma'),
    ...{ revision: 3, runs: true },
  };
  const page = (of: web.Plan, more: Partial<web.PlanPage> = {}) =>
    planPage({ ...ada, requests: {} }, { plan: of, nowMs: now, values: {}, ...more });
  return {
    'plan-open': page(plan, { values: { o1: 'works', o2: 'not' } }),
    'plan-errors': page(plan, {
      values: { 'note-1': theirs('late'), label: theirs('brunch'), starts_at: '2026-05-08T12:00' },
      errors: {
        'note-1': verbatim('This must have at most 200 characters.'),
        starts_at: verbatim('This is there already.'),
      },
      refused: t('courses.changed-meanwhile'),
    }),
    'plan-disputed': page({ ...plan, disputed: true }),
    'plan-clash': page({
      ...plan,
      isClash: true,
      options: plan.options.map((option) => ({ ...option, chosen: 1 })),
    }),
    'plan-settled': page({
      ...plan,
      ...{ status: 'settled', settledOption: 1, settledAtMs: now, receipt: '/r/rec_1?k=x' },
    }),
    'plan-cancelled': page({
      ...plan,
      ...{ status: 'cancelled', why: 'cancelled', reason: theirs('Ill. '.repeat(56)), settledAtMs: now },
      runs: false,
    }),
    'plan-past': page({ ...plan, status: 'cancelled', why: 'past', settledAtMs: now, runs: false }),
  };
}
