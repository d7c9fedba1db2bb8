import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Approval,
  type Decision,
  type GivenAnswer,
  hasAnswered,
  isFinal,
  type Needs,
  type Participant,
  type Question,
  waitingOn,
} from './decision.ts';
import { type Act, dueAt, next } from './machine.ts';

const terms = { clash: 100, object: 50 };
const questions: Question[] = [
  { id: 1, kind: 'when', prompt: 'When?', options: ['2027-05-03', '2027-05-04', '2027-05-05'] },
  { id: 2, kind: 'choice', prompt: 'What?', options: ['Pizza', 'Soup'] },
  { id: 3, kind: 'bring', prompt: 'With what?', options: [] },
];
const people = ['ada', 'ben', 'cleo', 'kid'];

function start(needs: Needs): Decision {
  return {
    status: 'open',
    why: null,
    needs,
    questions,
    people: people.map((person) => participant(person)),
    group_ai: 'group-ai',
    deadline_at: new Date(1_000),
    proposal: null,
    clash: null,
    settled_at: null,
  };
}

const participant = (person: string): Participant => ({
  person,
  guardians: person === 'kid' ? ['ada'] : [],
  aiShare: true,
  home: null,
  acts: {},
  organizer: person === 'ada',
  asked: true,
  answers: [],
  approval: null,
  pick: null,
});

const given = (
  question: number,
  answer: GivenAnswer['answer'],
  firm = false,
  as: 'person' | 'ai' = 'ai',
) => ({
  question,
  answer,
  firm,
  note: '',
  by: 'x',
  as,
  assumed: false,
  at: 0,
});
const approval = (decision: Approval['decision']): Approval => ({
  decision,
  note: '',
  by: 'x',
  as: 'person',
  at: 0,
});

const who = fc.oneof(fc.constant(people), fc.subarray(people, { minLength: 1 }));
const answer = fc.oneof(
  fc
    .tuple(fc.subarray([...questions[0]!.options]), fc.boolean())
    .map(([times, firm]) => given(1, times, firm)),
  fc.tuple(fc.constantFrom(...questions[1]!.options), fc.boolean()).map(([one, firm]) => given(2, one, firm)),
  fc.constantFrom('Wine', 'wine', '').map((thing) => given(3, thing)),
);
const everything = fc
  .tuple(fc.subarray([...questions[0]!.options]), fc.constantFrom(...questions[1]!.options))
  .map(([times, one]) => [given(1, times), given(2, one), given(3, 'Wine')]);

const usual: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('answer' as const),
    people: who,
    answers: fc.oneof(
      everything,
      answer.map((one) => [one]),
    ),
  }),
  fc.record({
    kind: fc.constant('close' as const),
    assumed: who.chain((quiet) =>
      everything.map(
        (said) => new Map(quiet.map((person) => [person, said.map((one) => ({ ...one, firm: true }))])),
      ),
    ),
  }),
  fc.record({
    kind: fc.constant('pick' as const),
    people: who,
    question: fc.constantFrom(1, 2),
    option: fc.constantFrom('2027-05-03', '2027-05-04', 'Pizza', 'Soup'),
  }),
  fc.record({
    kind: fc.constantFrom('propose' as const, 'edit' as const),
    brought: fc.constant({ answers: [], bring: [], summary: 'mine', where: '', by: 'group-ai' }),
  }),
  fc.record({
    kind: fc.constant('approve' as const),
    people: who,
    version: fc.constantFrom(1, 1, 2, 3),
    approval: fc.constantFrom(approval('approved'), approval('approved'), approval('change')),
  }),
  fc.constant<Act>({ kind: 'accept' }),
  fc.constant<Act>({ kind: 'reopen', deadline: 2_000 }),
  fc.constant<Act>({ kind: 'extend', deadline: 3_000 }),
  fc.constant<Act>({ kind: 'cancel', why: 'cancelled' }),
  fc
    .constantFrom(...people)
    .map((gone): Act => ({ kind: 'know', people: (now) => now.filter(({ person }) => person !== gone) })),
  fc.constant<Act>({ kind: 'pass' }),
);
/** Common acts get more weight so that the rare ones meet every state. */
const answersOfAll = everything.map((said): Act => ({ kind: 'answer', people, answers: said }));
const approvals = who.map(
  (some): Act => ({
    kind: 'approve',
    people: some,
    version: 1,
    approval: approval('approved'),
  }),
);
const acts = fc.oneof({ weight: 6, arbitrary: usual }, answersOfAll, { weight: 2, arbitrary: approvals });
const steps = fc.array(fc.tuple(acts, fc.integer({ min: 0, max: 120 })), { minLength: 10, maxLength: 30 });

/** The state after each act; a refused act leaves the state unchanged. */
function walk(needs: Needs, taken: readonly (readonly [Act, number])[]) {
  let state = start(needs);
  let at = 0;
  return taken.map(([act, later]) => {
    at += later;
    const before = state;
    let refusal: string | undefined;
    try {
      state = next(before, act, at, terms);
    } catch (error) {
      if (!isHearthError(error)) throw error;
      refusal = error.details.code;
    }
    return { before, act, after: state, at, refusal };
  });
}

const needs = fc.constantFrom<Needs>('all', 'answered', 'organizers');

describe('invariants of a decision', () => {
  const always = (check: (step: ReturnType<typeof walk>[number], needs: Needs) => void) =>
    fc.assert(
      fc.property(needs, steps, (whose, taken) => {
        for (const step of walk(whose, taken)) check(step, whose);
      }),
      { numRuns: 500 },
    );

  test('an ended decision does not change, and refuses acts as ended', () => {
    always(({ before, after, refusal }) => {
      if (!isFinal(before)) return;
      expect(after).toBe(before);
      expect([undefined, 'already_settled']).toContain(refusal);
    });
  });

  test('no approval outlives its proposal, and versions rise', () => {
    always(({ before, after }) => {
      const [old, now] = [before.proposal?.version ?? 0, after.proposal?.version ?? 0];
      expect(now).toBeGreaterThanOrEqual(old);
      if (now > old) expect(after.people.every((person) => person.approval === null)).toBe(true);
    });
  });

  test('nobody has two answers to a question, and an assumed answer is never firm', () => {
    always(({ after }) => {
      for (const { answers } of after.people) {
        expect(new Set(answers.map(({ question }) => question)).size).toBe(answers.length);
        expect(answers.some(({ assumed, firm }) => assumed && firm)).toBe(false);
      }
    });
  });

  test('answers change only by an answer, a pick, a deadline or a new round, and a deadline keeps given answers', () => {
    always(({ before, after, act }) => {
      for (const one of after.people) {
        const was = before.people.find(({ person }) => person === one.person)!;
        if (act.kind === 'close') {
          for (const said of was.answers) expect(one.answers).toContain(said);
          for (const said of one.answers) expect(said.assumed || was.answers.includes(said)).toBe(true);
        } else if (!['answer', 'pick', 'reopen', 'know'].includes(act.kind)) {
          expect(one.answers).toBe(was.answers);
        }
      }
    });
  });

  test('it is agreed when everyone whose approval it needs approves, or by an organizer after a review', () => {
    always(({ before, after, act }, whose) => {
      if (after.status !== 'agreed' || before.status === 'agreed') return;
      expect(after.proposal).not.toBeNull();
      if (act.kind === 'accept') {
        for (const { guardians, approval: word } of after.people)
          if (guardians.length > 0) expect(word?.decision).toBe('approved');
        return;
      }
      const needed = after.people.filter(({ organizer, answers }) =>
        whose === 'all'
          ? true
          : whose === 'organizers' && after.people.some((person) => person.organizer)
            ? organizer
            : answers.some(({ assumed }) => !assumed),
      );
      for (const { approval: word } of needed) expect(word?.decision).toBe('approved');
    });
  });

  test('it is agreed only after the time to object to assumed answers, and never over a requested change', () => {
    always(({ before, after, act, at }) => {
      if (after.status !== 'agreed' || before.status === 'agreed' || act.kind === 'accept') return;
      expect(after.proposal?.objectBy ?? 0).toBeLessThanOrEqual(at);
      expect(after.people.map(({ approval: word }) => word?.decision)).not.toContain('change');
    });
  });

  test('until it ends, it waits for somebody or has a deadline', () => {
    always(({ after }) => {
      if (isFinal(after) || after.status === 'proposed' || after.status === 'review') return;
      expect(waitingOn(after).length > 0 || dueAt(after) !== null).toBe(true);
    });
  });

  test('a proposal lies within every firm answer', () => {
    always(({ before, after, act }) => {
      const fresh =
        after.proposal !== null && after.proposal !== before.proposal && after.proposal.by === 'group-ai';
      if (!fresh || act.kind === 'propose' || act.kind === 'edit') return;
      for (const { question, answer: option } of after.proposal?.answers ?? []) {
        if (option === null) continue;
        const firm = after.people.flatMap(({ answers }) =>
          answers.filter((said) => said.question === question && said.firm),
        );
        for (const said of firm) expect(said.answer.includes(option)).toBe(true);
      }
    });
  });

  test('an open decision has somebody who was asked and has not answered', () => {
    always(({ after }) => {
      if (after.status === 'open')
        expect(after.people.some((person) => person.asked && !hasAnswered(after, person))).toBe(true);
    });
  });
});

test('two clashes are settled one after the other', () => {
  const said = (times: string[], one: string) => [given(1, times, true), given(2, one, true), given(3, '')];
  const acts: Act[] = [
    { kind: 'answer', people: ['ada', 'cleo', 'kid'], answers: said(['2027-05-03'], 'Pizza') },
    { kind: 'answer', people: ['ben'], answers: said(['2027-05-04'], 'Soup') },
    { kind: 'pick', people, question: 1, option: '2027-05-05' },
  ];
  const second = acts.reduce((state, act) => next(state, act, 1, terms), start('all'));
  expect(second).toMatchObject({ status: 'clash', clash: { question: 2, until: 101 } });
  const settled = next(second, { kind: 'pick', people, question: 2, option: 'Soup' }, 2, terms);
  expect(settled.proposal?.answers.slice(0, 2).map(({ answer: option }) => option)).toEqual([
    '2027-05-05',
    'Soup',
  ]);
});
