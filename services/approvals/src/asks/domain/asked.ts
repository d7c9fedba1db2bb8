import { badField, badRequest, type HearthError } from '@hearth/errors';
import type { ApprovalRow } from '../db/approvals.ts';

const dayMs = 86_400_000;

/** The content of an ask that its digest covers; absent fields are omitted. */
export interface AskedThing {
  title: string;
  details?: string | undefined;
  choices?: readonly string[] | undefined;
  free_text: boolean;
  preview?: string | undefined;
  item_ref?: string | undefined;
  to: readonly string[];
}

/** The object whose JCS form is digested. */
export function askedThing(
  ask: Pick<ApprovalRow, 'title' | 'details' | 'choices' | 'free_text' | 'preview' | 'item_ref'>,
  to: readonly string[],
): AskedThing {
  return {
    title: ask.title,
    ...(ask.details !== null && { details: ask.details }),
    ...(ask.choices.length > 0 && { choices: ask.choices }),
    free_text: ask.free_text,
    ...(ask.preview !== null && { preview: ask.preview }),
    ...(ask.item_ref !== null && { item_ref: ask.item_ref }),
    to,
  };
}

/** The recipients in a request: in `to`, or in `people`, its older name. */
export function namedIn(request: { to: readonly string[]; people: readonly string[] }): readonly string[] {
  if (request.to.length > 0 && request.people.length > 0)
    throw badField('people', 'is the older name of to; give one of the two');
  return request.to.length > 0 ? request.to : request.people;
}

/** @throws bad_field if choices are ambiguous, or combined with a typed answer */
export function checkQuestion(choices: readonly string[], freeText: boolean): void {
  if (choices.length === 0) return;
  if (freeText) throw badField('free_text', 'is for a typed answer; give choices or free_text, not both');
  const distinct = new Set(choices.map((choice) => choice.toLowerCase()));
  if (distinct.size < choices.length) throw badField('choices', 'must differ from each other');
  if (choices.some((choice) => choice === '')) throw badField('choices', 'must have words');
}

/** @throws bad_field for a time in the past, or too far ahead */
export function expiryOf(given: Date | null, now: Date, days: { usual: number; most: number }): Date {
  const latest = now.getTime() + days.most * dayMs;
  if (given === null) return new Date(Math.min(now.getTime() + days.usual * dayMs, latest));
  if (given <= now) throw badField('expires_at', 'must be in the future');
  if (given.getTime() > latest) throw badField('expires_at', `must be at most ${days.most} days ahead`);
  return given;
}

/** Why an answer does not fit the ask, or null. */
export function answerProblem(
  ask: { choices: readonly string[]; free_text: boolean },
  decision: 'approved' | 'declined',
  answer: string | undefined,
): HearthError | null {
  const { choices } = ask;
  if (answer === undefined) {
    if (decision === 'declined' || (choices.length === 0 && !ask.free_text)) return null;
    return badField(
      'answer',
      choices.length > 0 ? `pick one of: ${choices.join(', ')}` : 'type the answer that is asked for',
    );
  }
  if (choices.length > 0) {
    return choices.includes(answer)
      ? null
      : badField('answer', `must be exactly one of: ${choices.join(', ')}`);
  }
  if (ask.free_text) return null;
  return badField('answer', 'is not asked for; say approved or declined, with a note if you like');
}

/** @throws bad_request (ask_changed) if the caller saw a different version of the ask */
export function checkDigest(digest: string, seen: string | undefined): void {
  if (seen === undefined || seen === digest) return;
  throw badRequest('ask_digest: this is not the ask that you saw; read it again before you answer', {
    code: 'ask_changed',
    field: 'ask_digest',
  });
}
