import { isJsonObject, type JsonObject, type JsonValue, verifyRecord } from '@hearth/signing';
import { quoted } from '../plain.ts';
import type { HomeDocument } from './home-document.ts';

/** The findings about answers that came from other homes. */
export interface CheckedActs {
  /** Sentences. */
  problems: string[];
  notes: string[];
}

export const noActs: CheckedActs = { problems: [], notes: [] };

/**
 * Verifies each answer from another home by the act that its home signed, with the keys of that home's document. Without the
 * document the answer is the word of the home that signed the record.
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
  const bad = (why: string): CheckedActs => ({ problems: [`the answer of ${who} ${why}`], notes: [] });
  if (typeof home !== 'string' || !isJsonObject(item)) return bad('holds no act of the home that it names');
  const document = documents.find((one) => one.home === home);
  if (document === undefined)
    return {
      problems: [],
      notes: [
        `that ${who} answered is the word of ${String(record.home)} alone: give --home the document of ${quoted(home, 100)} as well to verify their own`,
      ],
    };
  const options = { expectedType: 'svc-envelope+jws', home, keys: document.keys, now } as const;
  const { valid, problems } = verifyRecord(item, options);
  if (!valid) return bad(`is not what ${home} signed: ${problems.join('; ')}`);
  if (!isSameAnswer(record, answer, item)) return bad(`is another one than the act that ${home} signed`);
  return { problems: [], notes: [`${home} signed the act by which ${who} answered`] };
}

/** The act answers this ask, and so. */
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
