import { HearthError, isHearthError } from '@hearth/errors';
import { type RecordsService, Verdict } from '@hearth/proto/federation/v1/records';
import { anonymous, type Client } from '@hearth/rpc';
import { isJsonObject, type JsonObject, type JsonValue } from '@hearth/signing';
import type { SentWord } from './db.ts';

/** A statement that a remote record attributes to a local party. */
export interface RecordedWord {
  /** The full address. */
  address: string;
  /**
   * Whether these acts of the party make the statement; null if no act can, because the record names the
   * party at an unknown place.
   */
  isGivenBy: ((acts: readonly SentWord[]) => boolean) | null;
}

/** @param around the object that names the party @param above its ancestors, the record first */
type Given = (around: JsonObject, acts: readonly SentWord[], above: readonly JsonObject[]) => boolean;
type Wanted = (act: SentWord) => boolean;

const byOf = ({ byAi }: SentWord) => (byAi ? 'ai' : 'person');
const listed = ({ request }: SentWord, name: string) => [request[name] ?? []].flat().filter(isJsonObject);
const plain = (value: JsonValue | undefined) =>
  String(value ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .trim();

/**
 * Places where a record may name a party, and the acts by which that party makes the statement there. `*`
 * stands for each element of a list.
 */
const places: Readonly<Record<string, Given>> = {
  'answers.*.to': ({ decision, answer, note, by }, acts) =>
    acts.some(
      (act) =>
        act.operation === 'reply_approval' &&
        act.request['decision'] === decision &&
        act.request['answer'] === answer &&
        act.request['note'] === note &&
        by === byOf(act),
    ),
  'approvals.*.to': ({ by, decision }, acts) =>
    acts.some(
      (act) =>
        act.operation === 'approve_decision' &&
        act.request['decision'] === decision &&
        (by ?? byOf(act)) === byOf(act),
    ),
  'outcome.answers.*.people.*.to': ({ assumed }, acts, above) =>
    assumed !== true && acts.some(answers(above[0]!, above.at(-1)!)),
  'outcome.bring.*.to': ({ assumed, what }, acts, above) =>
    assumed !== true && (acts.some(brings(what)) || acts.some(approves(above.at(-1)!))),
  'people.*.to': ({ chose, stances }, acts) =>
    [stances ?? []].flat().every((stance) => acts.some(takes(stance))) &&
    (chose === undefined ||
      acts.some(({ operation, request }) => operation === 'choose_option' && request['option'] === chose)),
  'sides.*.address': ({ note, settled }, acts) =>
    acts.some(({ operation, request }) =>
      settled === undefined
        ? operation === 'sign_agreement'
        : operation === 'settle_agreement' && request['outcome'] === settled && request['note'] === note,
    ),
};

/**
 * An answer to a question, or a choice in its clash. Times can be written in several ways, so only choices
 * are compared.
 */
const answers =
  ({ decision }: JsonObject, { answer, question_id: id }: JsonObject): Wanted =>
  (act) => {
    const picked = act.operation === 'settle_clash' && act.request['question_id'] === id;
    const given = act.operation === 'answer_decision' ? listed(act, 'answers') : [];
    const said = picked ? act.request['answer'] : given.find((one) => one['question_id'] === id)?.['answer'];
    const asked = isJsonObject(decision) ? [decision['questions'] ?? []].flat().filter(isJsonObject) : [];
    const isChoice = asked.some((one) => one['id'] === id && one['kind'] === 'choice');
    return said !== undefined && (!isChoice || plain(said) === plain(answer));
  };

const brings =
  (what: JsonValue | undefined): Wanted =>
  (act) =>
    act.operation === 'answer_decision' &&
    listed(act, 'answers').some(({ answer }) => plain(answer) === plain(what));

/** Approving a proposal accepts what an organizer wrote in it. */
const approves =
  ({ version }: JsonObject): Wanted =>
  ({ operation, request }) =>
    operation === 'approve_decision' && request['decision'] === 'approved' && request['version'] === version;

const takes =
  (taken: JsonValue): Wanted =>
  (act) =>
    act.operation === 'take_stance' &&
    isJsonObject(taken) &&
    (taken['by'] ?? byOf(act)) === byOf(act) &&
    listed(act, 'stances').some(
      ({ option, stance }) => option === taken['option'] && stance === taken['stance'],
    );

/** Places that name a party without attributing a statement: bookings are compared with the state. */
const silent = new Set(['meeting.booked_by.address']);

/** Free texts: an address in them does not name a party. */
const texts = new Set([
  'name',
  'title',
  'terms',
  'summary',
  'where',
  'place',
  'what',
  'answer',
  'prompt',
  'note',
  'label',
]);

const isSilent = (place: string, { chose, stances }: JsonObject) =>
  silent.has(place) ||
  (place === 'people.*.to' && chose === undefined && [stances ?? []].flat().length === 0);

function isRecordOf(record: JsonObject, home: string, reference: string): boolean {
  const { agreement, ask, decision, meeting, plan } = record;
  const subject = [agreement, ask, decision, meeting, plan].find(isJsonObject);
  return record['home'] === home && reference === `r:${home}:${String(subject?.['id'])}`;
}

/** Verifies records of other homes. */
export type RecordChecker = Pick<Client<typeof RecordsService>, 'checkRecord'>;

/**
 * Whether a home signed a record of that thing (its reference).
 *
 * @throws unavailable (home_unreachable) while that home's keys are unavailable
 */
export async function isSigned(
  records: RecordChecker,
  record: JsonObject,
  home: string,
  reference: string,
): Promise<boolean> {
  if (!isRecordOf(record, home, reference)) return false;
  const { verdict } = await records.checkRecord(
    { record: JSON.stringify(record), home },
    { caller: anonymous },
  );
  if (verdict === Verdict.UNKNOWN) throw keysAway(home);
  return verdict === Verdict.VALID;
}

const keysAway = (home: string) =>
  new HearthError('unavailable', `the keys of ${home} can't be had now: its record is checked later`, {
    code: 'home_unreachable',
  });

/** Whether a record could not be verified yet. */
export const isKeysAway = (error: unknown): boolean =>
  isHearthError(error) && error.kind === 'unavailable' && error.details.code === 'home_unreachable';

/** Returns each statement that a record attributes to a local party. An act inside it is signed by its own home. */
export function wordsRecorded(record: JsonValue, ownHome: string): RecordedWord[] {
  return wordsIn(record, ownHome, '', []);
}

function wordsIn(
  record: JsonValue,
  ownHome: string,
  place: string,
  above: readonly JsonObject[],
): RecordedWord[] {
  if (Array.isArray(record))
    return record.flatMap((element) => wordsIn(element, ownHome, `${place}*.`, above));
  if (!isJsonObject(record) || record['type'] === 'act') return [];
  return Object.entries(record).flatMap(([name, value]): RecordedWord[] => {
    const at = `${place}${name}`;
    if (typeof value !== 'string') return wordsIn(value ?? null, ownHome, `${at}.`, [...above, record]);
    if (texts.has(name) || !/^\S{1,300}$/.test(value) || !value.endsWith(`@${ownHome}`)) return [];
    if (isSilent(at, record)) return [];
    const given = places[at];
    return [{ address: value, isGivenBy: given === undefined ? null : (acts) => given(record, acts, above) }];
  });
}
