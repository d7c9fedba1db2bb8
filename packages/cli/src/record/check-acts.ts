import { isJsonObject, type JsonObject, type JsonValue, verifyRecord } from '@hearth/signing';
import { quoted } from '../plain.ts';
import type { HomeDocument } from './home-document.ts';

/** Findings about answers from other homes. */
export interface CheckedActs {
  /** Sentences for the reader. */
  problems: string[];
  notes: string[];
}

export const noActs: CheckedActs = { problems: [], notes: [] };

/**
 * Verifies each answer from another home by that home's signed act and the keys of its document. Without the
 * document, the answer rests on the word of the home that signed the record.
 *
 * @param now milliseconds since 1970
 */
export function checkActs(record: JsonObject, documents: readonly HomeDocument[], now: number): CheckedActs {
  const answers = (record.answers as JsonValue[]).filter(isJsonObject);
  const checked = answers
    .filter(({ home }) => home !== undefined)
    .map((answer) => checkAct(record, answer, documents, now));
  return {
    problems: checked.flatMap(({ problems }) => problems),
    notes: checked.flatMap(({ notes }) => notes),
  };
}

function checkAct(
  record: JsonObject,
  answer: JsonObject,
  documents: readonly HomeDocument[],
  now: number,
): CheckedActs {
  const { home, item } = answer;
  const who = quoted(String(answer.to ?? ''), 100);
  const bad = (why: string): CheckedActs => ({ problems: [`the answer from ${who} ${why}`], notes: [] });
  if (typeof home !== 'string' || !isJsonObject(item))
    return bad('contains no act from the home that it names');
  const document = documents.find((one) => one.home === home);
  if (document === undefined)
    return {
      problems: [],
      notes: [
        `only ${String(record.home)} vouches for the answer from ${who}; to verify it, use --home with the document of ${quoted(home, 100)} as well`,
      ],
    };
  const options = { expectedType: 'svc-envelope+jws', home, keys: document.keys, now } as const;
  const { valid, problems } = verifyRecord(item, options);
  if (!valid) return bad(`has no valid signature from ${home}: ${problems.join('; ')}`);
  if (!isSameAnswer(record, answer, item)) return bad(`differs from the act that ${home} signed`);
  return { problems: [], notes: [`${home} signed the answer from ${who}`] };
}

/** Verifies the acts of other homes that a record contains in full, each with the keys of its home. */
export function checkHeldActs(
  record: JsonObject,
  documents: readonly HomeDocument[],
  now: number,
): CheckedActs {
  const booker = isJsonObject(record.meeting) ? [record.meeting.booked_by ?? null] : [];
  const sides = [...listOf(record.sides), ...listOf(booker)].filter(({ home }) => home !== undefined);
  const acts = [...(Array.isArray(record.acts) ? record.acts : []), ...sides.map(({ item }) => item ?? null)];
  const checked = acts.map((act) => checkHeldAct(record, act, documents, now));
  return {
    problems: [
      ...checked.flatMap(({ problems }) => problems),
      ...sides.flatMap((side) => sideProblem(record, side)),
    ],
    notes: checked.flatMap(({ notes }) => notes),
  };
}

const listOf = (value: JsonValue | undefined) => (Array.isArray(value) ? value : []).filter(isJsonObject);

/** Compares what the record says about a side with the side's own act: signing an agreement, or booking a meeting. */
function sideProblem(
  { agreement, home: signer, meeting, type }: JsonObject,
  { address, home, item, owner_approved_at: approvedAt, settled }: JsonObject,
): string[] {
  const who = quoted(String(address ?? ''), 100);
  const bad = [`the record and the act it contains from ${who} differ`];
  if (!isJsonObject(item) || !isJsonObject(item.body) || !isJsonObject(item.body.request)) return bad;
  const { on, operation, request } = item.body;
  if (item.from !== address || item.origin !== home) return bad;
  // An owner's approval rests on the word of their AI's home.
  if (approvedAt !== undefined && !isJsonObject(item.body.owner_approved)) return bad;
  if (isJsonObject(meeting)) {
    const isOfOffer = operation === 'book_meeting' && on === `r:${String(signer)}:${String(meeting.offer)}`;
    // A moved meeting starts at another time than the one that was booked.
    const isSameTime = meeting.moved_from !== undefined || isSameInstant(request.slot, meeting.starts_at);
    return isOfOffer && isSameTime ? [] : bad;
  }
  const said =
    type === 'agreement.settled'
      ? operation === 'settle_agreement' && request.outcome === settled
      : operation === 'sign_agreement' &&
        isJsonObject(agreement) &&
        request.terms_digest === agreement.terms_digest;
  return said ? [] : bad;
}

const isSameInstant = (one: JsonValue | undefined, other: JsonValue | undefined) =>
  Date.parse(String(one)) === Date.parse(String(other));

function checkHeldAct(
  record: JsonObject,
  act: JsonValue,
  documents: readonly HomeDocument[],
  now: number,
): CheckedActs {
  if (!isJsonObject(act) || act.type !== 'act' || typeof act.origin !== 'string' || !isJsonObject(act.body))
    return { problems: ['one of its acts is not from another home'], notes: [] };
  const { body, origin: home } = act;
  const what = `the act ${quoted(String(body.operation), 40)} from ${quoted(String(act.from), 100)}`;
  const document = documents.find((one) => one.home === home);
  if (document === undefined)
    return {
      problems: [],
      notes: [
        `only ${String(record.home)} vouches for ${what}; to verify it, use --home with the document of ${quoted(home, 100)} as well`,
      ],
    };
  const { valid, problems } = verifyRecord(act, {
    expectedType: 'svc-envelope+jws',
    home,
    keys: document.keys,
    now,
  });
  if (!valid)
    return { problems: [`${what} has no valid signature from ${home}: ${problems.join('; ')}`], notes: [] };
  if (!subjectsOf(record).includes(String(body.on)))
    return { problems: [`${what} is about something else`], notes: [] };
  return { problems: [], notes: [`${home} signed ${what}`] };
}

/** The references of the record's subject, and of the offer that a meeting was booked from. */
function subjectsOf({ home, agreement, decision, meeting, plan }: JsonObject): string[] {
  const thing = [agreement, decision, meeting, plan].find(isJsonObject) ?? {};
  return [thing.id, thing.offer].flatMap((id) => (typeof id === 'string' ? `r:${String(home)}:${id}` : []));
}

/** Whether the act gives this answer to this ask. */
function isSameAnswer({ home, ask }: JsonObject, answer: JsonObject, item: JsonObject): boolean {
  const { body } = item;
  if (item.type !== 'act' || item.origin !== answer.home || !isJsonObject(body) || !isJsonObject(ask))
    return false;
  const { request } = body;
  if (!isJsonObject(request)) return false;
  return (
    body.on === `r:${String(home)}:${String(ask.id)}` &&
    body.operation === 'reply_approval' &&
    body.by === answer.by &&
    request.ask_digest === ask.digest &&
    request.decision === answer.decision &&
    request.answer === answer.answer &&
    request.note === answer.note &&
    [item.from, isJsonObject(body.for) ? body.for.address : undefined].includes(answer.to)
  );
}
