import type { Tx } from '@hearth/db';

/** An AI that changed hands. */
export interface Hands {
  /** uuid */
  ai: string;
  /** uuid of the viewer before this change. */
  from: string;
  /** uuid of the owner since; null for none. */
  person: string | null;
  at: Date;
}

/**
 * Shows what an AI offered, was offered and booked to whose it is by the newest change, or to itself: repeated, or after a newer
 * change, it brings there what the viewer before still sees.
 *
 * @returns whether no newer change is known
 */
export async function passOn(tx: Tx, { ai, from, person, at }: Hands): Promise<boolean> {
  const now = await tx.one<{ person: string | null; newest: boolean }>({
    name: 'hands_note',
    text: `
      insert into decisions.hands as mine (ai, person, at) values ($1, $2, $3)
      on conflict (ai) do update set at = greatest(mine.at, excluded.at),
        person = case when mine.at <= excluded.at then excluded.person else mine.person end
      returning person, at = $3 as newest`,
    values: [ai, person, at],
  });
  const to = now.person ?? ai;
  if (to !== from) await move(tx, { ai, from, to, person: now.person });
  return now.newest;
}

async function move(
  tx: Tx,
  { ai, from, to, person }: Pick<Hands, 'ai' | 'from' | 'person'> & { to: string },
): Promise<void> {
  const values = [ai, from, to, JSON.stringify({ person })];
  const sides = ['host', 'guest'].map((side) =>
    tx.execute({
      name: `meetings_pass_on_${side}`,
      text: `
        update decisions.meetings set ${side}_viewer = $3, ${side} = ${side} || $4::jsonb
        where ${side}_viewer = $2 and ${side}->>'id' = $1::text`,
      values,
    }),
  );
  await Promise.all([
    ...sides,
    tx.execute({
      name: 'offers_pass_on',
      text: `
        update decisions.offers set host_viewer = $3, host = host || $4::jsonb
        where host_viewer = $2 and host_id = $1::uuid`,
      values,
    }),
    tx.execute({
      name: 'offers_pass_on_seats',
      text: `
        with theirs as (
          select s.offer, s.created_at, o.recipients from decisions.offer_seats s
          join decisions.offers o on o.id = s.offer
          where s.viewer = $2 and o.recipients @> jsonb_build_array(jsonb_build_object('party', jsonb_build_object('id', $1::text)))),
        seated as (
          insert into decisions.offer_seats (viewer, offer, created_at)
          select $3, offer, created_at from theirs on conflict do nothing)
        delete from decisions.offer_seats s using theirs t
        where s.viewer = $2 and s.offer = t.offer and not exists (
          select from jsonb_array_elements(t.recipients) r
          where r->'party'->>'id' <> $1::text and coalesce(r->'party'->>'person', r->'party'->>'id') = $2::text)`,
      values: values.slice(0, 3),
    }),
  ]);
}

/** Forgets whose these AIs are, and which AIs are these people's (uuids): they are gone. */
export async function forgetHands(tx: Tx, gone: readonly string[]): Promise<void> {
  await tx.execute({
    name: 'hands_forget',
    text: 'delete from decisions.hands where ai = any($1::uuid[]) or person = any($1::uuid[])',
    values: [gone],
  });
}
