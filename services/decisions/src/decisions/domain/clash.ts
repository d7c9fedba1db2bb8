import {
  type Answer,
  type Clash,
  type Decision,
  type GivenAnswer,
  hasAnswered,
  type Question,
} from './decision.ts';
import { answersTo } from './propose.ts';

type Sides = Clash['sides'];

/**
 * The first question with a clash: firm times that share no option, or different firm choices. Null if there
 * is none.
 */
export function findClash({
  questions,
  people,
}: Pick<Decision, 'questions' | 'people'>): { question: number; sides: Sides } | null {
  for (const question of questions) {
    const firm = answersTo(question, people).filter((given) => given.firm);
    if (clashes(question, firm)) return { question: question.id, sides: sidesOf(firm) };
  }
  return null;
}

/** The people (uuids) among these on no side of the clash who have unanswered questions. */
export function besideClash(decision: Decision, { sides }: Clash, people: readonly string[]): string[] {
  const beside = decision.people.filter(
    (person) =>
      people.includes(person.person) &&
      !hasAnswered(decision, person) &&
      !sides.some((side) => side.people.includes(person.person)),
  );
  return beside.map(({ person }) => person);
}

/** The clash after more answers: same question, same deadline. */
export function clashAfter({ questions, people }: Decision, clash: Clash): Clash {
  const found = findClash({ questions: questions.filter(({ id }) => id === clash.question), people });
  return { ...clash, sides: found?.sides ?? clash.sides };
}

function clashes({ kind, options }: Question, firm: readonly GivenAnswer[]): boolean {
  if (kind === 'choice') return new Set(firm.map(({ answer }) => answer)).size > 1;
  if (kind !== 'when' || firm.length < 2) return false;
  return !options.some((option) => firm.every(({ answer }) => answer.includes(option)));
}

function sidesOf(firm: readonly (GivenAnswer & { person: string })[]): Sides {
  const groups = Map.groupBy(firm, ({ answer }) => keyOf(answer));
  return [...groups.values()].map((given) => ({
    answer: given[0]!.answer,
    people: given.map(({ person }) => person),
    byAi: given.every(({ as }) => as === 'ai'),
  }));
}

function keyOf(answer: Answer): string {
  return JSON.stringify(typeof answer === 'string' ? answer : [...answer].sort());
}
