import { englishSummary } from '@hearth/calendar/decision-summary';
import { t, verbatim } from '@hearth/i18n';
import type * as web from '@hearth/web';
import { decisionPage } from '@hearth/web';

const now = Date.UTC(2026, 4, 3, 14, 5);
const hour = 3_600_000;
const times = ['2026-05-08T16:00:00Z', '2026-05-08T18:00:00Z', '2026-05-09T18:00:00Z'] as const;

type Theirs = (text: string) => string;

/** The page of a decision, in its states. */
export function decisionSamples(ada: web.Frame, theirs: Theirs): Record<string, string> {
  const person = (id: string, name: string, more: Partial<web.DecisionPerson> = {}): web.DecisionPerson => ({
    ...{ id, name: theirs(name), asked: true, answered: false, isViewer: false, spokenFor: false },
    ...{ guarded: false, waiting: true },
    ...more,
  });
  const me = person('per_1', 'Ada Lovelace', { isViewer: true, spokenFor: true });
  const kit = person('shp_2', 'Kit Q.', { spokenFor: true, guarded: true });
  const ben = person('per_3', 'Ben Bowline', { answered: true, waiting: false });
  const carol = person('per_4', 'Carol Cleat');
  const questions: web.Decision['questions'] = [
    { id: 1, kind: 'when', prompt: theirs('Which evening?'), options: times },
    {
      id: 2,
      kind: 'choice',
      prompt: theirs('What do we eat?'),
      options: [theirs('Pizza'), theirs('Soup')].map((option, index) => `${option} ${index}`),
    },
    { id: 3, kind: 'bring', prompt: theirs('What do you bring?'), options: [] },
    { id: 4, kind: 'text', prompt: theirs('A word for the card?'), options: [] },
  ];
  const answer = (
    { id, name }: web.DecisionPerson,
    question: number,
    given: web.DecisionAnswer['answer'],
    more: Partial<web.DecisionAnswer> = {},
  ): web.DecisionAnswer => ({
    ...{ question, person: id, name, answer: given, firm: false, byAi: false, assumed: false },
    ...more,
  });
  const open: web.Decision = {
    id: '7',
    title: theirs('Grandma’s birthday'),
    details: theirs('She turns eighty.\nLet us surprise her.'),
    status: 'open',
    groupName: theirs('The family'),
    groupAddress: '&family',
    startedBy: { name: theirs('Robin'), address: '@ada.ai-robin' },
    questions,
    people: [me, kit, ben, carol],
    ...{ peopleAsked: 4, peopleAnswered: 1, needs: 'answered', answers: [] },
    atMs: now - 4 * hour,
    deadlineMs: now + 20 * hour,
    timeZone: 'America/New_York',
    hiddenFrom: theirs('Grandma'),
    ...{ calendar: false, revision: 3, isStarter: true, isOrganizer: true },
  };
  const drafts = [
    answer(me, 1, [times[0]], { byAi: true }),
    answer(me, 2, open.questions[1]!.options[1]!, { byAi: true }),
  ];
  const all = [
    answer(me, 1, [times[0], times[1]], { byAi: true }),
    answer(kit, 1, [times[0], times[1]]),
    answer(ben, 1, [times[1]], { firm: true, note: theirs('The train is late before.') }),
    answer(me, 2, open.questions[1]!.options[0]!),
    answer(ben, 2, open.questions[1]!.options[0]!, { byAi: true }),
    answer(carol, 2, open.questions[1]!.options[1]!, { assumed: true, note: theirs('always soup') }),
    answer(me, 3, theirs('Wine')),
    answer(ben, 3, theirs('wine')),
    answer(kit, 3, ''),
    answer(me, 4, theirs('All the best!')),
  ];
  const given = [
    { ...me, answered: true, waiting: false },
    { ...kit, answered: true, waiting: false },
    ben,
    carol,
  ];
  const approvals: web.Approver[] = [
    { person: me.id, name: me.name, decision: 'waiting' },
    { person: kit.id, name: kit.name, decision: 'waiting' },
    { person: ben.id, name: ben.name, decision: 'approved', by: 'ai', atMs: now - hour },
  ];
  const proposal: web.DecisionProposal = {
    version: 1,
    lines: [
      { question: 1, kind: 'when', answer: times[1], people: [me.id, ben.id], assumed: [] },
      {
        question: 2,
        kind: 'choice',
        answer: theirs('Pizza'),
        people: [me.id, ben.id, carol.id],
        assumed: [carol.id],
      },
      { question: 3, kind: 'bring', people: [me.id, ben.id], assumed: [] },
      {
        question: 4,
        kind: 'text',
        answer: [theirs('Ada Lovelace: All the best!')],
        people: [me.id],
        assumed: [],
      },
    ],
    summary: englishSummary(
      {
        answers: [{ time: times[1] }, { words: theirs('Pizza') }],
        bring: [theirs('Wine'), theirs('wine')],
      },
      'America/New_York',
    ),
    where: theirs('At the boat house'),
    bring: [
      { person: me.id, name: me.name, what: theirs('Wine'), assumed: false, duplicate: true },
      { person: ben.id, name: ben.name, what: theirs('wine'), assumed: true, duplicate: true },
    ],
    approvals,
    objectByMs: now + 24 * hour,
  };
  const proposed: web.Decision = {
    ...open,
    ...{ status: 'proposed', answers: all, proposal, calendar: true },
    people: [{ ...me, answered: true }, { ...kit, answered: true }, ben, { ...carol, waiting: false }],
  };
  const clash: web.Decision = {
    ...open,
    ...{ status: 'clash', answers: all },
    clash: {
      question: 1,
      people: [me.id, ben.id],
      waitingFor: [me.id],
      sides: [
        { answer: [times[0]], people: [me.id], byAi: true },
        { answer: [times[1], times[2]], people: [ben.id], byAi: false },
      ],
      untilMs: now + 40 * hour,
    },
  };
  const review: web.Decision = {
    ...proposed,
    status: 'review',
    proposal: {
      ...proposal,
      version: 2,
      by: ben.name,
      approvals: [
        ...approvals.slice(0, 2),
        {
          person: ben.id,
          name: ben.name,
          decision: 'change',
          by: 'person',
          note: theirs('Not pizza again.'),
        },
      ],
    },
  };
  const page = (decision: web.Decision, more: Partial<web.DecisionPage> = {}, frame = ada) =>
    decisionPage({ ...frame, requests: {} }, { decision, nowMs: now, values: {}, ...more });
  const notAsked = { ...carol, asked: false, isViewer: true, spokenFor: true, waiting: false };
  return {
    'decision-open': page(
      { ...open, answers: drafts },
      { values: { 'q1-0': 'works', 'q1-1': 'not', q2: '1' } },
    ),
    'decision-answered': page(
      { ...open, people: given, answers: all, peopleAnswered: 3 },
      {
        done: t('courses.done.answers'),
        values: { 'q1-0': 'works', 'q1-1': 'works', 'q1-2': 'not', q2: '0', q3: theirs('Wine') },
      },
    ),
    'decision-not-asked': page({ ...open, people: [ben, notAsked] }),
    'decision-errors': page(open, {
      values: { for: kit.id, 'note-3': theirs('and glasses') },
      errors: {
        q1: verbatim('Answer one question at least.'),
        'note-3': verbatim('This must have at most 200 characters.'),
      },
    }),
    'decision-clash': page(clash),
    'decision-clash-beside': page({
      ...clash,
      people: [{ ...me, waiting: false }, { ...kit, answered: true, waiting: false }, ben, carol],
      answers: all.filter(({ person }) => person !== me.id),
      clash: {
        ...clash.clash!,
        ...{ people: [kit.id, ben.id], waitingFor: [ben.id] },
        sides: clash.clash!.sides.map((side, index) => ({ ...side, people: [[kit, ben][index]!.id] })),
      },
    }),
    'decision-proposed': page(proposed),
    'decision-change-refused': page(proposed, {
      values: { note: theirs('Too late for Kit.') },
      errors: { 'change-1-note': verbatim('This must have at most 280 characters.') },
      refused: t('courses.changed-meanwhile'),
    }),
    'decision-review': page(review),
    'decision-disputed': page({ ...proposed, disputed: true }),
    'decision-agreed': page({
      ...proposed,
      ...{ status: 'agreed', settledAtMs: now, receipt: '/r/rec_1?k=x', reviewOn: '2026-06-01' },
    }),
    'decision-cancelled': page({ ...open, status: 'cancelled', why: 'no_answers', settledAtMs: now }),
  };
}
