import type { Db } from '@hearth/db';

/** A recipient who has not answered a waiting ask. */
export interface OpenPlace {
  approval: string;
  position: number;
}

/** The places of these people and of their AIs, at most `limit`. */
export async function openOfPeople(db: Db, people: readonly string[], limit: number): Promise<OpenPlace[]> {
  return await db.query<OpenPlace>({
    name: 'approvals_open_of_people',
    text: `
      select approval, position from approvals.recipients
      where (person = any($1::uuid[]) or recipient = any($1::uuid[])) and decision = 'waiting' and status = 'waiting' limit $2`,
    values: [people, limit],
  });
}

/** The places of these AIs themselves. */
export async function openOfAis(db: Db, ais: readonly string[], limit: number): Promise<OpenPlace[]> {
  return await db.query<OpenPlace>({
    name: 'approvals_open_of_ais',
    text: `
      select approval, position from approvals.recipients
      where recipient = any($1::uuid[]) and kind = 'ai' and decision = 'waiting' and status = 'waiting' limit $2`,
    values: [ais, limit],
  });
}

/** The places at that AI as a front door, but for those of the person `keeps`. */
export async function openAtDoor(
  db: Db,
  ai: string,
  keeps: string | null,
  limit: number,
): Promise<(OpenPlace & { person: string })[]> {
  return await db.query<OpenPlace & { person: string }>({
    name: 'approvals_open_at_door',
    text: `
      select approval, position, person from approvals.recipients
      where owner = $1 and box = 'front_door' and decision = 'waiting' and status = 'waiting'
        and person is not null and person is distinct from $2::uuid
      limit $3`,
    values: [ai, keeps, limit],
  });
}

/** The places of that person and of their AIs in asks of that sender (a person with all their AIs, or an AI). */
export async function openFromSender(
  db: Db,
  person: string,
  sender: string,
  limit: number,
): Promise<OpenPlace[]> {
  return await db.query<OpenPlace>({
    name: 'approvals_open_from_sender',
    text: `
      select r.approval, r.position from approvals.recipients r
      join approvals.approvals a on a.id = r.approval
      where r.decision = 'waiting' and r.status = 'waiting'
        and (r.person = $1 or r.recipient = $1) and (a.asker = $2 or a.asker_person = $2)
      limit $3`,
    values: [person, sender, limit],
  });
}
