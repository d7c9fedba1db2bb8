import type { Db, Tx } from '@hearth/db';

/** A person or AI of this home, as another home knows them. */
export interface Acquaintance {
  /** per_... or ai_... */
  party: string;
  home: string;
  /** With this home's name. */
  address: string;
  /** That home may hold their card until then. */
  cardUntil: Date | null;
}

/** They wrote to those homes. */
export async function noteContacts(
  tx: Tx,
  seen: readonly Omit<Acquaintance, 'cardUntil'>[],
  now: Date,
): Promise<void> {
  await tx.execute({
    name: 'federation_note_contacts',
    text: `
      insert into federation.acquaintances (party, home, address, contact, seen_at)
      select distinct on (party, home) party, home, address, true, $4
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as s (home, party, address, n)
      order by party, home, n desc
      on conflict (party, home) do update set address = excluded.address, contact = true, seen_at = excluded.seen_at`,
    values: [
      seen.map(({ home }) => home),
      seen.map(({ party }) => party),
      seen.map(({ address }) => address),
      now,
    ],
  });
}

/** That home asked for their card. */
export async function noteCard(
  tx: Tx,
  { party, home, address, cardUntil }: Acquaintance,
  now: Date,
): Promise<void> {
  await tx.execute({
    name: 'federation_note_card',
    text: `
      insert into federation.acquaintances (party, home, address, contact, card_until, seen_at)
      values ($1, $2, $3, false, $4, $5)
      on conflict (party, home) do update set
        address = excluded.address, card_until = excluded.card_until, seen_at = excluded.seen_at`,
    values: [party, home, address, cardUntil, now],
  });
}

const columns = 'party, home, address, card_until as "cardUntil"';

export async function listAcquaintances(db: Db, parties: readonly string[]): Promise<Acquaintance[]> {
  return await db.query<Acquaintance>({
    name: 'federation_list_acquaintances',
    text: `select ${columns} from federation.acquaintances where party = any($1) order by home, party`,
    values: [parties],
  });
}

/** Until the end of `tx` no other process tells that home of them. */
export async function lockAcquaintances(
  tx: Tx,
  home: string,
  parties: readonly string[],
): Promise<Acquaintance[]> {
  return await tx.query<Acquaintance>({
    name: 'federation_lock_acquaintances',
    text: `
      select ${columns} from federation.acquaintances where home = $1 and party = any($2) order by party for update`,
    values: [home, parties],
  });
}

/** That home was told: its copy of the card counts no more. @param address null: they are gone */
export async function writeTold(
  tx: Tx,
  { party, home }: Acquaintance,
  address: string | null,
): Promise<void> {
  if (address === null)
    await tx.execute({
      name: 'federation_forget_acquaintance',
      text: 'delete from federation.acquaintances where party = $1 and home = $2',
      values: [party, home],
    });
  else
    await tx.execute({
      name: 'federation_write_told',
      text: 'update federation.acquaintances set address = $3, card_until = null where party = $1 and home = $2',
      values: [party, home, address],
    });
}

/** Another home is under that name: it knows no one here. */
export async function forgetAcquaintancesOf(tx: Tx, home: string): Promise<void> {
  await tx.execute({
    name: 'federation_forget_acquaintances_of',
    text: 'delete from federation.acquaintances where home = $1',
    values: [home],
  });
}

/** @param before those whom no one wrote as or asked for since */
export async function purgeAcquaintances(tx: Tx, now: Date, before: Date): Promise<void> {
  await tx.execute({
    name: 'federation_purge_acquaintances',
    text: `
      delete from federation.acquaintances
      where seen_at < $2 or not contact and (card_until is null or card_until <= $1)`,
    values: [now, before],
  });
}
