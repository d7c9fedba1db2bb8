import type { Db, Tx } from '@hearth/db';
import type { Decision, Why } from '../domain/machine.ts';
import { closeItems, placeItems } from './items.ts';

export interface RecipientRow {
  approval: string;
  position: number;
  kind: 'person' | 'ai' | 'email';
  /** uuid of the person or AI; null for an e-mail address. */
  recipient: string | null;
  /** uuid of the responsible person: the recipient, an AI's owner, or the guardian. */
  person: string | null;
  address: string;
  name: string;
  minor: boolean;
  handling: 'delivered' | 'waiting_quietly' | 'front_door' | 'declined' | 'turned_away';
  /** uuid of the person or AI in whose list it stands. */
  owner: string | null;
  box: 'inbox' | 'requests' | 'front_door' | '';
  front_door: string | null;
  passed_at: Date | null;
  passed_note: string | null;
  asked_at: Date;
  request_kind: string;
  status: string;
  decision: Decision;
  answer: string | null;
  note: string | null;
  answered_at: Date | null;
  answered_by: string | null;
  answered_as: 'person' | 'ai' | null;
  via: string | null;
  proof: string | null;
  why: Why | null;
  key_hash: Buffer | null;
  /** uuid of the child in whose place, or about whom, a guardian is asked. */
  guards: string | null;
}

export type PlaceKey = Pick<RecipientRow, 'approval' | 'position'>;

/** The answer of a recipient. */
export type GivenAnswer = Pick<RecipientRow, 'decision' | 'answer' | 'note'> & {
  at: Date;
  by: string | null;
  as: 'person' | 'ai';
  via: string;
  proof: string;
};

export const recipientNames = [
  'approval',
  'position',
  'kind',
  'recipient',
  'person',
  'address',
  'name',
  'minor',
  'handling',
  'owner',
  'box',
  'front_door',
  'passed_at',
  'passed_note',
  'asked_at',
  'request_kind',
  'status',
  'decision',
  'answer',
  'note',
  'answered_at',
  'answered_by',
  'answered_as',
  'via',
  'proof',
  'why',
  'key_hash',
  'guards',
] as const satisfies readonly (keyof RecipientRow)[];

export const recipientColumns = recipientNames.map((name) => `r.${name}`).join(', ');

/** The recipients of one approval, in the order in which the asker named them. */
export async function listRecipients(db: Db, approval: string): Promise<RecipientRow[]> {
  return await db.query<RecipientRow>({
    name: 'approvals_list_recipients',
    text: `
      select ${recipientColumns} from approvals.recipients r where r.approval = $1 order by r.position`,
    values: [approval],
  });
}

export async function storeAnswer(
  tx: Tx,
  { approval, position }: PlaceKey,
  given: GivenAnswer,
): Promise<void> {
  const { decision, answer, note, at, by, as, via, proof } = given;
  await tx.execute({
    name: 'approvals_store_answer',
    text: `
      with answered as (
        update approvals.recipients set decision = $3, answer = $4, note = $5, answered_at = $6, answered_by = $7,
          answered_as = $8, via = $9, proof = $10
        where approval = $1 and position = $2 returning approval, position)
      ${closeItems('answered')}`,
    values: [approval, position, decision, answer, note, at, by, as, via, proof],
  });
}

/** These recipients count as having declined, without an answer. */
export async function dropRecipients(
  tx: Tx,
  approval: string,
  positions: readonly number[],
  why: RecipientRow['why'],
): Promise<void> {
  await tx.execute({
    name: 'approvals_drop_recipients',
    text: `
      with dropped as (
        update approvals.recipients set decision = 'declined', why = $3
        where approval = $1 and position = any($2::smallint[]) and decision = 'waiting' returning approval, position)
      ${closeItems('dropped')}`,
    values: [approval, positions, why],
  });
}

/** Moves a place to another list and box. */
export async function moveRecipient(
  tx: Tx,
  { approval, position }: PlaceKey,
  to: { owner: string; box: RecipientRow['box'] },
): Promise<void> {
  await tx.execute({
    name: 'approvals_move_recipient',
    text: `
      with moved as (
        update approvals.recipients set owner = $3, box = $4 where approval = $1 and position = $2 returning *)
      ${placeItems('moved')}`,
    values: [approval, position, to.owner, to.box],
  });
}

export async function notePassed(
  tx: Tx,
  { approval, position }: PlaceKey,
  passed: { at: Date; note: string | null },
): Promise<void> {
  await tx.execute({
    name: 'approvals_note_passed',
    text: `
      update approvals.recipients set passed_at = $3, passed_note = $4 where approval = $1 and position = $2`,
    values: [approval, position, passed.at, passed.note],
  });
}

/** It counts as that kind of request for the recipient from now on. */
export async function relabelRecipient(
  tx: Tx,
  { approval, position }: PlaceKey,
  kind: string,
): Promise<void> {
  await tx.execute({
    name: 'approvals_relabel_recipient',
    text: `
      with labelled as (
        update approvals.recipients set request_kind = $3 where approval = $1 and position = $2 returning *)
      ${placeItems('labelled')}`,
    values: [approval, position, kind],
  });
}
