import { type Db, fragment, named, type Tx } from '@hearth/db';

/** A person or AI of this home that another home knows. */
export interface Acquaintance {
  /** per_... or ai_... */
  party: string;
  home: string;
  /** With this home's name. */
  address: string;
  /** Until when that home may cache the card. */
  cardUntil: Date | null;
}

/** A person or AI of this home that writes to another home, and the event (uuid) that causes the item. */
export interface Contact extends Omit<Acquaintance, 'cardUntil'> {
  event: string;
}

/** Records the parties that wrote to other homes; skips items that already have a number. */
export async function noteContacts(tx: Tx, seen: readonly Contact[], now: Date): Promise<void> {
  await tx.execute(named('federation_note_contacts')`
    insert into federation.acquaintances (party, home, address, contact, seen_at)
    select distinct on (party, home) party, home, address, true, ${now}
    from unnest(${seen.map(({ home }) => home)}::text[], ${seen.map(({ party }) => party)}::text[],
      ${seen.map(({ address }) => address)}::text[], ${seen.map(({ event }) => event)}::uuid[])
      with ordinality as s (home, party, address, event, n)
    where not exists (
      select from federation.sent_items i where i.home = s.home and i.event = s.event)
    order by party, home, n desc
    on conflict (party, home) do update set address = excluded.address, contact = true, seen_at = excluded.seen_at`);
}

/** Records that a home asked for a party's card. */
export async function noteCard(
  tx: Tx,
  { party, home, address, cardUntil }: Acquaintance,
  now: Date,
): Promise<void> {
  await tx.execute(named('federation_note_card')`
    insert into federation.acquaintances (party, home, address, contact, card_until, seen_at)
    values (${party}, ${home}, ${address}, false, ${cardUntil}, ${now})
    on conflict (party, home) do update set
      address = excluded.address, card_until = excluded.card_until, seen_at = excluded.seen_at`);
}

const columns = fragment`party, home, address, card_until as "cardUntil"`;

export async function listAcquaintances(db: Db, parties: readonly string[]): Promise<Acquaintance[]> {
  return await db.query<Acquaintance>(named('federation_list_acquaintances')`
    select ${columns} from federation.acquaintances where party = any(${parties}) order by home, party`);
}

/** Locks the records until the end of the transaction, so that no other process notifies that home. */
export async function lockAcquaintances(
  tx: Tx,
  home: string,
  parties: readonly string[],
): Promise<Acquaintance[]> {
  return await tx.query<Acquaintance>(named('federation_lock_acquaintances')`
    select ${columns} from federation.acquaintances where home = ${home} and party = any(${parties})
      order by party for update`);
}

/** Records that the home was notified, so its copy of the card is void. @param address null if the party was deleted */
export async function writeTold(
  tx: Tx,
  { party, home }: Acquaintance,
  address: string | null,
): Promise<void> {
  if (address === null)
    await tx.execute(named('federation_forget_acquaintance')`
      delete from federation.acquaintances where party = ${party} and home = ${home}`);
  else
    await tx.execute(named('federation_write_told')`
      update federation.acquaintances set address = ${address}, card_until = null where party = ${party}
        and home = ${home}`);
}

/** Another home took over the name, and knows no one here. */
export async function forgetAcquaintancesOf(tx: Tx, home: string): Promise<void> {
  await tx.execute(named('federation_forget_acquaintances_of')`
    delete from federation.acquaintances where home = ${home}`);
}

/** @param before deletes acquaintances not seen since then */
export async function purgeAcquaintances(tx: Tx, now: Date, before: Date): Promise<void> {
  await tx.execute(named('federation_purge_acquaintances')`
    delete from federation.acquaintances
    where seen_at < ${before} or not contact and (card_until is null or card_until <= ${now})`);
}
