import { create, fromJson, getOption, type JsonValue } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import type { AppDeliveriesService, AskGuessRequest } from '@hearth/proto/delivery/v1/app_deliveries';
import { GuessSchema } from '@hearth/proto/delivery/v1/app_events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { app_event } from '@hearth/proto/options';
import { writeMessage } from '@hearth/proto-json';
import type { UnaryHandler } from '@hearth/rpc';
import { eventBody, svcHeaders } from '@hearth/webhooks';
import { findAppStream } from '../../shared/db/app-streams.ts';
import type { KnownApp } from '../actions/apps.ts';
import { recordGuess } from '../actions/metrics.ts';
import type { Context } from '../context.ts';
import { storeAsked } from '../db/app-events.ts';
import { type ReadGuess, type ReadGuesses, readGuesses } from '../domain/read-guesses.ts';

const timeoutMs = 5 * second;
const noGuesses: ReadGuesses = { guesses: [], dropped: [] };
const type = getOption(GuessSchema, app_event).name;

/**
 * Asks the app that holds a person for guesses of their answers: once, for 5 seconds. No app is asked about a
 * child whose guardian does not let AIs act.
 */
export const askGuess =
  (context: Context): UnaryHandler<typeof AppDeliveriesService.method.askGuess> =>
  async (request, call) => {
    const person = await context.people.findOne(request.person);
    const app = person === null ? null : await findGuesser(context, person);
    if (person === null || app === null) return { guesses: [] };
    const guesses = await ask(context, app, person, request, call.signal);
    return {
      guesses: guesses.map(({ questionId, answer, reason }) => ({
        questionId: BigInt(questionId),
        answer: fromJson(ValueSchema, answer as JsonValue),
        reason,
      })),
    };
  };

/** Returns the app to ask about a person; null if there is none. */
async function findGuesser({ apps, database }: Context, person: PersonFacts): Promise<KnownApp | null> {
  if (person.app === '' || (isMinor(person) && !person.aiShare)) return null;
  const app = await apps.find(person.app);
  if (app === null || app.url === '' || !app.wants(type)) return null;
  const stream = await findAppStream(database.db, app.id);
  return stream?.disabledAt ? null : app;
}

function bodyFor(
  { id, at }: { id: string; at: Date },
  { decision, title, group, questions, history }: AskGuessRequest,
  person: PersonFacts,
): string {
  const data = create(GuessSchema, {
    decision: { id: decision, title, group: printId('grp', group) },
    // The holding app knows its people by their own id.
    person: printId('per', person.id),
    questions: questions.map(({ id, kind, prompt, options }) => ({ id, kind, prompt, options })),
    history: history.map(({ question, answer, at }) => ({ question, answer, ...(at && { at }) })),
  });
  return eventBody({
    id: printId('evt', id),
    type,
    at,
    data: writeMessage(GuessSchema, data),
  });
}

/** Asks the app, and logs the outcome in the app's deliveries. */
async function ask(
  { clock, database, ids, outbound }: Context,
  app: KnownApp,
  person: PersonFacts,
  request: AskGuessRequest,
  signal: AbortSignal,
): Promise<ReadGuess[]> {
  const event = { id: ids.uuid(), at: new Date(clock.now()) };
  const body = bodyFor(event, request, person);
  const headers = svcHeaders(app.secrets, clock.now(), body);
  const answer = await outbound.post({ url: app.url, headers, body, timeoutMs, signal });
  if (answer === null) {
    recordGuess({ outcome: 'failed' });
    return [];
  }
  const asked = request.questions.map(({ id, kind, options }) => ({ id: Number(id), kind, options }));
  const { guesses, dropped } =
    answer.error !== null ? noGuesses : readGuesses(answer.body?.toString() ?? '', asked);
  const { status, ms, error } = answer;
  const attempt = { at: event.at, status, ms, error, dropped };
  await database.statement((tx) =>
    storeAsked(tx, { ...event, app: app.id, type, orderKey: person.id, body, attempt }),
  );
  recordGuess({ outcome: error !== null ? 'failed' : guesses.length > 0 ? 'guessed' : 'nothing' });
  return guesses;
}
