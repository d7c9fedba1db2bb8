import { isDay } from '@hearth/calendar';
import { isJsonObject, type JsonObject, parseInstant } from '@hearth/signing';
import type { OutcomeKind, OutcomeParty, SignedOutcome } from '@hearth/web';
import { instant, optionalText, text } from './record-text.ts';

const kinds: Readonly<Record<string, OutcomeKind>> = {
  'decision.outcome': 'decision',
  'plan.outcome': 'plan',
  agreement: 'agreement',
  'agreement.settled': 'agreement',
  meeting: 'meeting',
};

const shownParties = 100;

/** The content of a decision's, plan's, agreement's or meeting's record; undefined for other records. */
export function signedOutcome(record: JsonObject): SignedOutcome | undefined {
  const type = text(record['type']);
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined) return undefined;
  const about = objectOf(record[kind]);
  const outcome = objectOf(record['outcome']);
  const times = kind === 'meeting' ? about : outcome;
  return {
    kind,
    title: text(about['title']),
    status: text(record['status']),
    summary: optionalText(outcome['summary']),
    content: kind === 'decision' ? contentOf(about, outcome) : undefined,
    terms: optionalText(about['terms']),
    startsAt: timeOf(times['when'] ?? times['starts_at'] ?? times['date']),
    endsAt: timeOf(times['ends_at']),
    timeZone: optionalText(times['time_zone']),
    where: optionalText(times['where'] ?? times['place']),
    group: optionalText(objectOf(about['group'])['name']),
    begunBy: optionalText(about['started_by'] ?? about['proposed_by'] ?? about['by']),
    settledAtMs: instant(record['settled_at'] ?? record['ready_at']),
    parties: partiesOf(kind, record).slice(0, shownParties),
  };
}

/** The answers of a decision's record, and the things that people bring. */
function contentOf(decision: JsonObject, outcome: JsonObject): SignedOutcome['content'] {
  const times = listOf(decision['questions'])
    .filter(({ kind }) => kind === 'when')
    .map(({ id }) => id);
  const answers = listOf(outcome['answers']).flatMap(({ question_id, answer }) => {
    if (typeof answer !== 'string') return [];
    const time = times.includes(question_id) ? timeOf(answer) : undefined;
    return [time === undefined ? { words: answer } : { time }];
  });
  return { answers, bring: listOf(outcome['bring']).map(({ what }) => text(what)) };
}

function partiesOf(kind: OutcomeKind, record: JsonObject): OutcomeParty[] {
  switch (kind) {
    case 'decision':
      return listOf(record['approvals']).map((approval) =>
        party(approval, approval, text(approval['decision'])),
      );
    case 'plan':
      return listOf(record['people']).map((person) =>
        wordOnPlan(person, objectOf(record['outcome'])['option']),
      );
    case 'agreement':
      return listOf(record['sides']).map((side) => ({
        ...party(side, {}, optionalText(side['settled']) ?? 'signed'),
        note: optionalText(side['note']),
        atMs: instant(side['at'] ?? side['signed_at']),
      }));
    case 'meeting': {
      const { offered_by: host, booked_by: guest } = objectOf(record['meeting']);
      return [party(objectOf(host), {}, 'offered'), party(objectOf(guest), {}, 'booked')];
    }
  }
}

function wordOnPlan(person: JsonObject, option: unknown): OutcomeParty {
  const word = listOf(person['stances']).findLast((stance) => stance['option'] === option) ?? {};
  return party(person, word, person['chose'] === option ? 'chose' : text(word['stance']));
}

/** @param word how and when it was said */
function party(entry: JsonObject, word: JsonObject, said: string): OutcomeParty {
  return {
    name: text(entry['name']),
    address: text(entry['to'] ?? entry['address']),
    said,
    // An AI's answer is never shown as a person's.
    by: word['by'] === undefined ? undefined : word['by'] === 'person' ? 'person' : 'ai',
    atMs: instant(word['at']),
  };
}

function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return isDay(value) || parseInstant(value) !== null ? value : undefined;
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
