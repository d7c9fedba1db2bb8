-- Plans of before such times were refused: one of them broke the list of its whole group. Years have four digits wherever times are shown.
update plans p set options = (
  select jsonb_agg(
    o.option
      || case when o.option->>'starts' like '+%' then '{"starts": "9999-12-31T23:59:58Z"}'::jsonb else '{}' end
      || case when o.option->>'starts' = '9999-12-31' then '{"starts": "9999-12-30"}'::jsonb else '{}' end
      || case when o.option->>'ends' like '+%' then '{"ends": "9999-12-31T23:59:59Z"}'::jsonb else '{}' end
    order by o.nth)
  from jsonb_array_elements(p.options) with ordinality o (option, nth))
where exists (
  select from jsonb_array_elements(p.options) o
  where o->>'starts' like '+%' or o->>'starts' = '9999-12-31' or o->>'ends' like '+%');
