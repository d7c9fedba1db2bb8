import type { RecordsService } from '@hearth/proto/federation/v1/records';
import { anonymous, type Client } from '@hearth/rpc';
import { isJsonObject, type JsonObject, type JsonValue } from '@hearth/signing';
import type { SentWord } from './db.ts';

/** A word that a record of another home has of a party of this one. */
export interface RecordedWord {
  /** The full address. */
  address: string;
  /** Whether the party gave it by this act; null where none gives it: the record names them in a way that is not known here. */
  isGivenBy: ((act: SentWord) => boolean) | null;
}

type Given = (around: JsonObject, act: SentWord) => boolean;

const listed = (act: SentWord, name: string) =>
  [act.request[name] ?? []].flat().filter((one) => isJsonObject(one));

/** The places at which a record names a party, and the acts by which the party gave the word there. `*` is each of a list. */
const places: Readonly<Record<string, Given>> = {
  'answers.*.to': ({ decision, answer, note, by }, { byAi, operation, request }) =>
    operation === 'reply_approval' &&
    request['decision'] === decision &&
    request['answer'] === answer &&
    request['note'] === note &&
    by === (byAi ? 'ai' : 'person'),
  'approvals.*.to': ({ decision }, { operation, request }) =>
    operation === 'approve_decision' && request['decision'] === decision,
  'outcome.answers.*.people.*.to': ({ assumed }, { operation }) =>
    assumed === true || operation === 'answer_decision' || operation === 'settle_clash',
  'outcome.bring.*.to': ({ assumed }, { operation }) => assumed === true || operation === 'answer_decision',
  'people.*.to': ({ stances, chose }, act) =>
    [stances ?? []].flat().some((one) => isStance(one, act)) ||
    (chose !== undefined && act.operation === 'choose_option' && act.request['option'] === chose),
  'sides.*.address': ({ settled }, { operation, request }) =>
    settled === undefined
      ? operation === 'sign_agreement'
      : operation === 'settle_agreement' && request['outcome'] === settled,
};

const isStance = (one: JsonValue, act: SentWord) =>
  act.operation === 'take_stance' &&
  isJsonObject(one) &&
  listed(act, 'stances').some(({ option, stance }) => option === one['option'] && stance === one['stance']);

/** Places at which a record names a party without a word of theirs: that they booked is compared with the state. */
const silent = new Set(['meeting.booked_by.address']);

/** Free texts: an address in one is no party. */
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

const isSilent = (place: string, { assumed, chose, stances }: JsonObject) =>
  silent.has(place) ||
  assumed === true ||
  (place === 'people.*.to' && chose === undefined && [stances ?? []].flat().length === 0);

function isRecordOf(record: JsonObject, home: string, reference: string): boolean {
  const { agreement, ask, decision, meeting, plan } = record;
  const subject = [agreement, ask, decision, meeting, plan].find(isJsonObject);
  return record['home'] === home && reference === `r:${home}:${String(subject?.['id'])}`;
}

/** Checks records that other homes gave. */
export type RecordChecker = Pick<Client<typeof RecordsService>, 'checkRecord'>;

/** Whether a home signed a record of that thing (its reference); false also where the keys of that home can't be had now. */
export async function isSigned(
  records: RecordChecker,
  record: JsonObject,
  home: string,
  reference: string,
): Promise<boolean> {
  if (!isRecordOf(record, home, reference)) return false;
  const { valid } = await records.checkRecord(
    { record: JSON.stringify(record), home },
    { caller: anonymous },
  );
  return valid;
}

/** Each word of a party of this home in a record. An act within it is signed by its own home. */
export function wordsRecorded(record: JsonValue, ownHome: string, place = ''): RecordedWord[] {
  if (Array.isArray(record)) return record.flatMap((one) => wordsRecorded(one, ownHome, `${place}*.`));
  if (!isJsonObject(record) || record['type'] === 'act') return [];
  return Object.entries(record).flatMap(([name, value]): RecordedWord[] => {
    const at = `${place}${name}`;
    if (typeof value !== 'string') return wordsRecorded(value ?? null, ownHome, `${at}.`);
    if (
      texts.has(name) ||
      !/^\S{1,300}$/.test(value) ||
      !value.endsWith(`@${ownHome}`) ||
      isSilent(at, record)
    )
      return [];
    const given = places[at];
    return [{ address: value, isGivenBy: given === undefined ? null : (act) => given(record, act) }];
  });
}
