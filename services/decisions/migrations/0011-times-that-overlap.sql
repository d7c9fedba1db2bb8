-- [{starts, ends, meeting}]: when the meetings of an offer are, as the domain has them. They close the times that they overlap.
alter table offers add column busy jsonb not null default '[]';

update offers o set busy = (
  select jsonb_agg(jsonb_build_object(
    'starts', (extract(epoch from m.starts_at) * 1000)::bigint,
    'ends', (extract(epoch from m.ends_at) * 1000)::bigint,
    'meeting', m.id) order by m.booked_at)
  from meetings m where m.offer = o.id and m.status = 'booked')
where o.elsewhere is null and exists (
  select from meetings m where m.offer = o.id and m.status = 'booked');
