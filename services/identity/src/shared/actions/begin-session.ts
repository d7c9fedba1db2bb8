import { hash } from 'node:crypto';
import { type Clock, day, nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import { insertSession, type NewSession } from '../db/sessions.ts';

/** People and secret scanners know the token of a session by it. */
const tokenPrefix = 'hearth_ps_';
const secretLength = 43;
const sessionMs = 90 * day;
/** Guests have no other way back into their account. */
const guestSessionMs = 365 * day;

export interface BegunSession {
  /** Shown once; its hash alone is stored. */
  token: string;
  endsAt: Date;
}

/** Begins a session of a person, with how they just proved who they are; a guest has proved nothing. */
export async function beginSession(
  { clock, ids }: { clock: Clock; ids: Ids },
  tx: Tx,
  person: string,
  proof: NewSession['proof'],
): Promise<BegunSession> {
  const now = nowDate(clock);
  const token = `${tokenPrefix}${ids.token(secretLength)}`;
  const guest = proof === '';
  const endsAt = new Date(now.getTime() + (guest ? guestSessionMs : sessionMs));
  const session = {
    id: ids.uuid(),
    person,
    hash: hash('sha256', token, 'buffer'),
    authenticatedAt: guest ? null : now,
    proof,
    endsAt,
  };
  await insertSession(tx, session, now);
  return { token, endsAt };
}
