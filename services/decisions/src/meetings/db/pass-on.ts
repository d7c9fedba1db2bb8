import { named, type Tx } from '@hearth/db';
import { AiStatus } from '@hearth/proto/common/v1/caller';

/** uuids of an AI that changed hands, and of its previous and new viewer. */
export interface Passed {
  ai: string;
  from: string;
  to: string;
  /** uuid of the new owner; null without one. */
  person: string | null;
}

/** Moves what an AI offered, was offered and booked to its new viewer. */
export async function passOn(tx: Tx, { ai, from, to, person }: Passed): Promise<void> {
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
  // An offer still being sent has no seats yet and is written by its sender, so lock it first and read the
  // result.
  const wanted = `(o.sending or o.id in (select offer from decisions.offer_seats where viewer = $2))
    and o.recipients @> jsonb_build_array(jsonb_build_object('party', jsonb_build_object('id', $1::text)))`;
  await tx.execute({
    name: 'offers_pass_on_lock',
    text: `select o.id from decisions.offers o where ${wanted} order by o.id for update`,
    values: [ai, from],
  });
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
      name: 'offers_pass_on_recipients',
      text: `
        with theirs as (
          select o.id, o.created_at, o.recipients,
            exists (select from decisions.offer_seats s where s.viewer = $2 and s.offer = o.id) as seated
          from decisions.offers o where ${wanted}),
        passed as (
          update decisions.offers o set recipients = (
            select jsonb_agg(case when r->'party'->>'id' = $1::text then jsonb_set(r, '{party}', r->'party' || $4::jsonb) else r end
              order by n)
            from jsonb_array_elements(o.recipients) with ordinality as given (r, n))
          from theirs t where o.id = t.id),
        seated as (
          insert into decisions.offer_seats (viewer, offer, created_at)
          select $3, id, created_at from theirs where seated on conflict do nothing)
        delete from decisions.offer_seats s using theirs t
        where s.viewer = $2 and s.offer = t.id and not exists (
          select from jsonb_array_elements(t.recipients) r
          where r->'party'->>'id' <> $1::text and coalesce(r->'party'->>'person', r->'party'->>'id') = $2::text)`,
      values,
    }),
  ]);
}

/** An AI that lost its owner keeps offering times, but no longer under an address with the owner's handle. */
export async function renameHost(
  tx: Tx,
  ai: string,
  { address, name }: { address: string; name: string },
): Promise<void> {
  const host = { address, name, aiStatus: AiStatus.UNCLAIMED };
  await tx.execute(named('offers_rename_host')`
    update decisions.offers set host = host || ${JSON.stringify(host)}::jsonb
    where host_viewer = ${ai} and host_id = ${ai} and status = 'open' and elsewhere is null`);
}
