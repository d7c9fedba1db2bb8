import { type Clock, nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import { insertSession, type NewSession } from '../db/sessions.ts';
import { guestSessionMs, newSessionToken, sessionMs } from './session-token.ts';

export interface BegunSession {
  /** uuid */
  id: string;
  /** Shown once. */
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
  const token = newSessionToken(ids);
  const id = ids.uuid();
  const guest = proof === '';
  const endsAt = new Date(now.getTime() + (guest ? guestSessionMs : sessionMs));
  const authenticatedAt = guest ? null : now;
  await insertSession(tx, { id, person, hash: token.hash, authenticatedAt, proof, endsAt }, now);
  return { id, token: token.text, endsAt };
}
