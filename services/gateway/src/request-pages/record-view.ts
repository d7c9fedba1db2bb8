import { Verdict, type VerifyRecordResponse } from '@hearth/proto/federation/v1/records';
import { faults, isJsonObject, type JsonObject } from '@hearth/signing';
import type { CheckedRecord, RecipientAnswer, SignedAnswer } from '@hearth/web';
import { signedOutcome } from './record-outcome.ts';
import { instant, optionalText, text } from './record-text.ts';

const shownAnswers = 50;

/**
 * A record as its page shows it, with the home's findings. Reads its members defensively, because they may
 * have any type.
 */
export function checkedRecord(record: JsonObject, found: VerifyRecordResponse): CheckedRecord {
  const { kid, keyStatus } = found;
  return {
    verdict: verdictOf(found),
    faults: faults.filter((fault) => found.faults.includes(fault)),
    id: text(record['id']),
    type: text(record['type']),
    home: text(record['home']),
    issuedAtMs: instant(record['issued_at']),
    kid,
    keyStatus,
    answer: record['type'] === 'approval.answer' ? signedAnswer(record) : undefined,
    outcome: signedOutcome(record),
  };
}

function verdictOf({ valid, verdict, keyStatus }: VerifyRecordResponse): CheckedRecord['verdict'] {
  if (valid) return 'valid';
  if (verdict === Verdict.UNKNOWN) return 'unknown';
  return keyStatus === 'revoked' ? 'revoked' : 'invalid';
}

function signedAnswer(record: JsonObject): SignedAnswer | undefined {
  const { ask, answers } = record;
  if (!isJsonObject(ask) || !Array.isArray(answers)) return undefined;
  return {
    askId: text(ask['id']),
    title: text(ask['title']),
    digest: text(ask['digest']),
    status: text(record['status']),
    void: optionalText(record['void']),
    requestedBy: text(ask['requested_by']),
    requestedNameVerified: ask['requested_name_verified'] === true,
    requestedAtMs: instant(ask['requested_at']),
    settledAtMs: instant(record['settled_at']),
    aboutChild: ask['about_child'] === true,
    answers: answers.slice(0, shownAnswers).filter(isJsonObject).map(recipientAnswer),
  };
}

function recipientAnswer(entry: JsonObject): RecipientAnswer {
  return {
    to: text(entry['to']),
    name: text(entry['name']),
    decision: text(entry['decision']),
    answer: optionalText(entry['answer']),
    note: optionalText(entry['note']),
    atMs: instant(entry['at']),
    // An AI's answer is never shown as a person's.
    by: entry['by'] === 'person' ? 'person' : 'ai',
    via: text(entry['via']),
    proof: text(entry['proof']),
  };
}
