import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { listSaid } from '../db/history.ts';
import { answerFromNotes, assumedAnswer, openQuestions, quietOf, type Shared } from '../domain/assume.ts';
import type { GivenAnswer, Participant } from '../domain/decision.ts';
import { isHeard } from '../domain/decision.ts';
import { plainValue, readAnswer } from '../domain/read-answers.ts';
import { courseOf } from '../domain/state.ts';

/** An app's five seconds, plus time for the call. */
const guessWithinMs = 7 * second;
const atOnce = 20;

/**
 * Answers for quiet people from what they shared: their apps' guesses first, then the notes they share with
 * the group. Empty if no one answered, because then nothing is proposed.
 */
export async function assumedFor(
  context: Context,
  whole: WholeDecision,
): Promise<Map<string, readonly GivenAnswer[]>> {
  const course = courseOf(whole);
  const quiet = course.people.some(isHeard) ? quietOf(course) : [];
  const filled = new Map<string, readonly GivenAnswer[]>();
  if (quiet.length === 0) return filled;
  const [notes, facts] = await Promise.all([
    notesOf(context, whole, quiet),
    context.people.find(quiet.map(({ person }) => person)),
  ]);
  // Only the app that holds a person's account is asked about them.
  const held = (person: string) => (facts.get(person)?.app ?? '') !== '';
  for (let from = 0; from < quiet.length; from += atOnce) {
    const some = quiet.slice(from, from + atOnce);
    const answers = await Promise.all(
      some.map(async (participant) => {
        const guesses = held(participant.person) ? await guessesOf(context, whole, participant) : new Map();
        return assume(context, whole, participant, { guesses, notes: notes.get(participant.person) ?? [] });
      }),
    );
    some.forEach(({ person }, index) => {
      filled.set(person, answers[index] ?? []);
    });
  }
  return filled;
}

function assume(
  context: Context,
  whole: WholeDecision,
  participant: Participant,
  { guesses, notes }: { guesses: ReadonlyMap<number, GivenAnswer>; notes: readonly Shared[] },
): GivenAnswer[] {
  const { row } = whole;
  const open = openQuestions(courseOf(whole), participant);
  const about = [row.number, `&${row.group_handle}`];
  const now = context.clock.now();
  return open.flatMap((question) => {
    const guess = guesses.get(question.id);
    if (guess !== undefined) return [guess];
    const noted = answerFromNotes(question, notes, about);
    return noted === null ? [] : [assumedAnswer(question, noted, '', now)];
  });
}

/** The notes that these people share with the group, by uuid; empty if notes can't be read. */
async function notesOf(
  { log, peers }: Context,
  { row }: WholeDecision,
  quiet: readonly Participant[],
): Promise<Map<string, Shared[]>> {
  const people = quiet.map(({ person }) => person);
  try {
    const { notes } = await peers.notes.findSharedNotes({ group: row.group, people }, { caller: anonymous });
    return Map.groupBy(notes, ({ person }) => person);
  } catch (err) {
    log.warn({ err, decision: row.number }, 'the shared notes of quiet people could not be read');
    return new Map();
  }
}

async function guessesOf(
  { clock, database, log, peers }: Context,
  whole: WholeDecision,
  participant: Participant,
): Promise<Map<number, GivenAnswer>> {
  const { row } = whole;
  const { person } = participant;
  const open = openQuestions(courseOf(whole), participant);
  const before = await listSaid(database.db, person, row.group);
  const request = {
    person,
    decision: BigInt(row.number),
    title: row.title,
    group: row.group,
    questions: open.map(({ id, kind, prompt, options }) => ({
      id: BigInt(id),
      kind,
      prompt,
      options: [...options],
    })),
    history: before.map(({ question, answer, at }) => ({ question, answer, at: timestampFromMs(at) })),
  };
  try {
    const { guesses } = await peers.guesses.askGuess(request, {
      caller: anonymous,
      timeoutMs: guessWithinMs,
    });
    const now = clock.now();
    return new Map(
      guesses.flatMap(({ questionId, answer, reason }) => {
        const question = open.find(({ id }) => id === Number(questionId));
        if (question === undefined || plainValue(answer) === undefined) return [];
        const read = readAnswer(question, answer, row.time_zone, 'answer');
        return [[question.id, assumedAnswer(question, read, reason, now)] as const];
      }),
    );
  } catch (err) {
    log.warn({ err, decision: row.number }, 'no app could be asked to guess for a quiet person');
    return new Map();
  }
}
