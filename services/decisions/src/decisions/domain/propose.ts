import type {
  Answer,
  Bring,
  Decision,
  GivenAnswer,
  Participant,
  ProposedAnswer,
  Question,
} from './decision.ts';

/** A proposal before it has a version. */
export interface Draft {
  answers: readonly ProposedAnswer[];
  bring: readonly Bring[];
}

type Answers = readonly (GivenAnswer & { person: string })[];

/**
 * The proposal that follows from the given and assumed answers: per question the option that suits most
 * people; ties go to the earliest time (`when`) or the first option listed (`choice`). Never proposes an
 * option outside a firm answer.
 */
export function propose({ questions, people }: Pick<Decision, 'questions' | 'people'>): Draft {
  const answers = questions.map((question) => proposedAnswer(question, answersTo(question, people)));
  const brings = questions.filter(({ kind }) => kind === 'bring');
  return { answers, bring: brings.flatMap((question) => bringsOf(answersTo(question, people))) };
}

/** The answers to a question, in the order of the participants. */
export function answersTo({ id }: Question, people: readonly Participant[]): Answers {
  return people.flatMap(({ person, answers }) =>
    answers.filter(({ question }) => question === id).map((given) => ({ ...given, person })),
  );
}

/** The people an option suits. */
export function suits(option: string | null, answers: Answers): string[] {
  return answers.filter(({ answer }) => isOf(option, answer)).map(({ person }) => person);
}

function isOf(option: string | null, answer: Answer): boolean {
  return typeof answer === 'string' ? answer === option : option !== null && answer.includes(option);
}

function proposedAnswer(question: Question, answers: Answers): ProposedAnswer {
  const { id, kind } = question;
  const everyone = answers.map(({ person }) => person);
  if (kind === 'bring' || kind === 'text') return { question: id, answer: null, people: everyone };
  const answer = mostSuitable(question, answers);
  return { question: id, answer, people: suits(answer, answers) };
}

/** Null if no option suits anyone, or each is outside some firm answer. */
function mostSuitable({ options }: Question, answers: Answers): string | null {
  const firm = answers.filter((given) => given.firm);
  let best: { option: string; count: number } | null = null;
  for (const option of options) {
    if (!firm.every(({ answer }) => isOf(option, answer))) continue;
    const count = suits(option, answers).length;
    if (count > (best?.count ?? 0)) best = { option, count };
  }
  return best?.option ?? null;
}

function bringsOf(answers: Answers): Bring[] {
  return answers.flatMap(({ person, answer, assumed }) =>
    typeof answer === 'string' && answer !== '' ? [{ person, what: answer, assumed }] : [],
  );
}

/** Things that more than one person brings, ignoring case and spacing. */
export function duplicates(bring: readonly Bring[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { what } of bring) counts.set(plain(what), (counts.get(plain(what)) ?? 0) + 1);
  return new Set([...counts].flatMap(([what, count]) => (count > 1 ? [what] : [])));
}

/** Normalizes case and spacing for comparison. */
export function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
