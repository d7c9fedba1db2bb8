import type { Tx } from '@hearth/db';

/** An AI that changed hands. */
export interface Hands {
  /** uuid */
  ai: string;
  /** uuid of the person who claimed it, or who owned it before. */
  person: string;
  at: Date;
}

/** Where what it agreed stands: with the person who claimed it, or with itself alone again. */
type Passed = 'brought' | 'taken back';

/**
 * Shows a person all that their AI agreed before it was claimed; or, once that claim is undone, no more of it. An older change
 * than the last one does nothing, and a repeated one neither.
 */
export async function passOn(tx: Tx, { ai, person, at }: Hands, passed: Passed): Promise<void> {
  const brought = passed === 'brought';
  await tx.execute({
    name: `agreements_${brought ? 'bring' : 'take_back'}`,
    text: `
      with theirs as (
        select d.id, d.sides from decisions.agreements d
        where d.id in (select item from decisions.seats where viewer = $1::uuid and kind = 'agreement') and d.started_at < $3::timestamptz
          and exists (
            select from jsonb_array_elements(d.sides) s
            where s->>'ai' = $1::text and coalesce((s->>'handsAt')::bigint, 0) < $4::bigint
              and ${brought ? `s->>'person' is null` : `s->>'person' = $2::text and s ? 'handsAt'`})
        order by d.id for update of d),
      passed as (
        update decisions.agreements d set revision = revision + 1, sides = (
          select jsonb_agg(case when s->>'ai' = $1::text
            then s || jsonb_build_object('person', ${brought ? '$2::text' : 'null'}, 'handsAt', $4::bigint) else s end order by n)
          from jsonb_array_elements(d.sides) with ordinality sides (s, n))
        from theirs where d.id = theirs.id returning d.id, d.started_at, d.status, d.sides)
      ${
        brought
          ? `insert into decisions.seats (kind, item, viewer, started_at, status, waiting)
             select 'agreement', id, $2::uuid, started_at, status, false from passed on conflict (item, viewer) do nothing`
          : `delete from decisions.seats t using passed
             where t.item = passed.id and t.viewer = $2::uuid
               and not exists (select from jsonb_array_elements(passed.sides) s where $2::text in (s->>'person', s->>'holder'))`
      }`,
    values: [ai, person, at, at.getTime()],
  });
}
