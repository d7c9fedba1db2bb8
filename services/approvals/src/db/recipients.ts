import type { Db, Tx } from '@hearth/db';

export interface RecipientRow {
  approval: string;
  position: number;
  kind: 'person' | 'ai' | 'email';
  recipient: string | null;
  person: string | null;
  address: string;
  name: string;
  minor: boolean;
  handling: 'delivered' | 'waiting_quietly' | 'front_door' | 'declined' | 'turned_away';
  owner: string | null;
  box: 'inbox' | 'requests' | 'front_door' | '';
  front_door: string | null;
  passed_at: Date | null;
  passed_note: string | null;
  asked_at: Date;
  request_kind: string;
  status: string;
  decision: 'waiting' | 'approved' | 'declined';
  answer: string | null;
  note: string | null;
  answered_at: Date | null;
  answered_by: string | null;
  answered_as: 'person' | 'ai' | null;
  via: string | null;
  proof: string | null;
  why: 'by_rule' | 'blocked' | 'recipient_gone' | null;
  key_hash: Buffer | null;
  mailed_at: Date | null;
  mail_next_at: Date | null;
  mail_attempts: number;
}

/** The answer that a recipient gives. */
export type GivenAnswer = Pick<RecipientRow, 'decision' | 'answer' | 'note'> & {
  at: Date;
  by: string | null;
  as: 'person' | 'ai';
  via: string;
  proof: string;
};

const types = {
  approval: 'uuid',
  position: 'smallint',
  kind: 'text',
  recipient: 'uuid',
  person: 'uuid',
  address: 'text',
  name: 'text',
  minor: 'boolean',
  handling: 'text',
  owner: 'uuid',
  box: 'text',
  front_door: 'uuid',
  passed_at: 'timestamptz',
  passed_note: 'text',
  asked_at: 'timestamptz',
  request_kind: 'text',
  status: 'text',
  decision: 'text',
  answer: 'text',
  note: 'text',
  answered_at: 'timestamptz',
  answered_by: 'uuid',
  answered_as: 'text',
  via: 'text',
  proof: 'text',
  why: 'text',
  key_hash: 'bytea',
  mailed_at: 'timestamptz',
  mail_next_at: 'timestamptz',
  mail_attempts: 'smallint',
} as const satisfies Record<keyof RecipientRow, string>;

const names = Object.keys(types) as (keyof RecipientRow)[];

export const recipientColumns = names.map((name) => `r.${name}`).join(', ');

/** Those of one approval, in one statement. */
export async function insertRecipients(tx: Tx, rows: readonly RecipientRow[]): Promise<void> {
  const arrays = names.map((name, index) => `$${index + 1}::${types[name]}[]`).join(', ');
  await tx.execute({
    name: 'approvals_insert_recipients',
    text: `insert into approvals.recipients (${names.join(', ')}) select * from unnest(${arrays})`,
    values: names.map((name) => rows.map((row) => row[name])),
  });
}

/** Those of one approval, as they were named. */
export async function listRecipients(db: Db, approval: string): Promise<RecipientRow[]> {
  return await db.query<RecipientRow>({
    name: 'approvals_list_recipients',
    text: `
      select ${recipientColumns} from approvals.recipients r where r.approval = $1 order by r.position`,
    values: [approval],
  });
}

/** uuid of the approval -> its recipients. */
export async function recipientsOf(
  db: Db,
  approvals: readonly string[],
): Promise<Map<string, RecipientRow[]>> {
  const rows = await db.query<RecipientRow>({
    name: 'approvals_recipients_of',
    text: `
      select ${recipientColumns} from approvals.recipients r
      where r.approval = any($1::uuid[]) order by r.approval, r.position`,
    values: [approvals],
  });
  return Map.groupBy(rows, ({ approval }) => approval);
}

export async function storeAnswer(
  tx: Tx,
  { approval, position }: Pick<RecipientRow, 'approval' | 'position'>,
  given: GivenAnswer,
): Promise<void> {
  const { decision, answer, note, at, by, as, via, proof } = given;
  await tx.execute({
    name: 'approvals_store_answer',
    text: `
      update approvals.recipients set decision = $3, answer = $4, note = $5, answered_at = $6, answered_by = $7,
        answered_as = $8, via = $9, proof = $10, mail_next_at = null
      where approval = $1 and position = $2`,
    values: [approval, position, decision, answer, note, at, by, as, via, proof],
  });
}

/** Those who count as having declined, without an answer. */
export async function dropRecipients(
  tx: Tx,
  approval: string,
  positions: readonly number[],
  why: RecipientRow['why'],
): Promise<void> {
  await tx.execute({
    name: 'approvals_drop_recipients',
    text: `
      update approvals.recipients set decision = 'declined', why = $3, mail_next_at = null
      where approval = $1 and position = any($2::smallint[]) and decision = 'waiting'`,
    values: [approval, positions, why],
  });
}

/** In whose list it stands from now on, and in which box. */
export async function moveRecipient(
  tx: Tx,
  { approval, position }: Pick<RecipientRow, 'approval' | 'position'>,
  to: { owner: string; box: RecipientRow['box'] },
): Promise<void> {
  await tx.execute({
    name: 'approvals_move_recipient',
    text: `update approvals.recipients set owner = $3, box = $4 where approval = $1 and position = $2`,
    values: [approval, position, to.owner, to.box],
  });
}

export async function notePassed(
  tx: Tx,
  { approval, position }: Pick<RecipientRow, 'approval' | 'position'>,
  passed: { at: Date; note: string | null },
): Promise<void> {
  await tx.execute({
    name: 'approvals_note_passed',
    text: `
      update approvals.recipients set passed_at = $3, passed_note = $4 where approval = $1 and position = $2`,
    values: [approval, position, passed.at, passed.note],
  });
}

/** As which kind of request it counts for that recipient. */
export async function relabelRecipient(
  tx: Tx,
  { approval, position }: Pick<RecipientRow, 'approval' | 'position'>,
  kind: string,
): Promise<void> {
  await tx.execute({
    name: 'approvals_relabel_recipient',
    text: `update approvals.recipients set request_kind = $3 where approval = $1 and position = $2`,
    values: [approval, position, kind],
  });
}
