import { type Db, named, raw, type Tx } from '@hearth/db';
import type { Decision, Why } from '../domain/machine.ts';
import { closeItems, placeItems } from './items.ts';

export interface RecipientRow {
  approval: string;
  position: number;
  kind: 'person' | 'ai' | 'email';
  /** uuid of the person or AI; null for an email address. */
  recipient: string | null;
  /** uuid of the responsible person: the recipient, an AI's owner, or the guardian. */
  person: string | null;
  address: string;
  name: string;
  minor: boolean;
  handling:
    | 'held'
    | 'delivered'
    | 'waiting_quietly'
    | 'front_door'
    | 'declined'
    | 'turned_away'
    | 'undeliverable';
  /** uuid of the person or AI whose list shows the ask. */
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
  /** uuid of the child that a guardian is asked for or about. */
  guards: string | null;
  /** The home of a remote recipient; null for a local one. */
  home: string | null;
  /** uuid of the act that carries the answer to the ask's home, while it is in flight. */
  act: string | null;
  /** The act that brought the answer from another home, as JSON. */
  item: string | null;
  /** When a no by rule is sent to the ask's home. */
  no_due_at: Date | null;
}

export type PlaceKey = Pick<RecipientRow, 'approval' | 'position'>;

/** A recipient's answer. */
export type GivenAnswer = Pick<RecipientRow, 'decision' | 'answer' | 'note'> & {
  at: Date;
  by: string | null;
  as: 'person' | 'ai';
  via: string;
  proof: string;
  /** The act that brought it from another home, as JSON. */
  item?: string | null;
};

/** All columns, in the order of an insert. */
export const recipientNames = `
  approval, position, kind, recipient, person, address, name, minor, handling, owner, box, front_door, passed_at,
  passed_note, asked_at, request_kind, status, decision, answer, note, answered_at, answered_by, answered_as, via, proof,
  why, key_hash, guards, home, act, item, no_due_at`;

/** `recipientNames`, for the table alias `r`. */
export const recipientColumns = raw(recipientNames.replaceAll(/\w+/g, 'r.$&'));

/** The recipients of an approval, in the asker's order. */
export async function listRecipients(db: Db, approval: string): Promise<RecipientRow[]> {
  return await db.query<RecipientRow>(named('approvals_list_recipients')`
    select ${recipientColumns} from approvals.recipients r where r.approval = ${approval}
      order by r.position`);
}

export async function storeAnswer(
  tx: Tx,
  { approval, position }: PlaceKey,
  given: GivenAnswer,
): Promise<void> {
  const { decision, answer, note, at, by, as, via, proof, item } = given;
  await tx.execute(named('approvals_store_answer')`
    with answered as (
      update approvals.recipients set decision = ${decision}, answer = ${answer}, note = ${note},
        answered_at = ${at}, answered_by = ${by},
        answered_as = ${as}, via = ${via}, proof = ${proof}, item = ${item ?? null}, act = null
      where approval = ${approval} and position = ${position} returning approval, position)
    ${closeItems('answered')}`);
}

/** Counts these recipients as having declined, without an answer. */
export async function dropRecipients(
  tx: Tx,
  approval: string,
  positions: readonly number[],
  why: RecipientRow['why'],
): Promise<void> {
  await tx.execute(named('approvals_drop_recipients')`
    with dropped as (
      update approvals.recipients set decision = 'declined', why = ${why}
      where approval = ${approval} and position = any(${positions}::smallint[]) and decision = 'waiting'
        returning approval, position)
    ${closeItems('dropped')}`);
}

/** The columns of a place that may change while it waits. */
export type PlaceChange = Partial<
  Pick<
    RecipientRow,
    | 'recipient'
    | 'person'
    | 'owner'
    | 'address'
    | 'name'
    | 'minor'
    | 'box'
    | 'guards'
    | 'passed_at'
    | 'passed_note'
    | 'request_kind'
  >
>;

/** Changes a waiting place: its recipient, its list, or its request kind. */
export async function changePlace(
  tx: Tx,
  { approval, position }: PlaceKey,
  change: PlaceChange,
): Promise<void> {
  await tx.execute(named('approvals_change_place')`
    with changed as (
      update approvals.recipients r set recipient = n.recipient, person = n.person, owner = n.owner,
        address = n.address, name = n.name, minor = n.minor, box = n.box, guards = n.guards,
        passed_at = n.passed_at, passed_note = n.passed_note, request_kind = n.request_kind
      from approvals.recipients before, json_populate_record(before, ${JSON.stringify(change)}::json) n
      where r.approval = ${approval} and r.position = ${position} and before.approval = ${approval}
        and before.position = ${position} returning r.*)
    ${placeItems('changed')}`);
}

/** Adds recipients to an ask. */
export async function addPlaces(tx: Tx, places: readonly RecipientRow[]): Promise<void> {
  await tx.execute(named('approvals_add_places')`
    with placed as (
      insert into approvals.recipients (${raw(recipientNames)})
      select ${raw(recipientNames)} from json_populate_recordset(null::approvals.recipients, ${JSON.stringify(places)}::json)
      returning *)
    ${placeItems('placed')}`);
}

/** Removes recipients from an ask. */
export async function removePlaces(tx: Tx, approval: string, positions: readonly number[]): Promise<void> {
  await tx.execute(named('approvals_remove_places')`
    with removed as (
      delete from approvals.recipients where approval = ${approval}
        and position = any(${positions}::smallint[])
      returning approval, position)
    ${closeItems('removed')}`);
}
