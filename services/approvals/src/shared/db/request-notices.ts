import { type Fragment, fragment, raw } from '@hearth/db';

/**
 * Schedules notices of new requests, within the statement that places them: an hour after the first request,
 * and at least a day after the last notice.
 *
 * @param found a query of `person` (uuid) and `at`, the time of the request
 */
export function placeNotices(found: string): Fragment {
  return fragment`
    insert into approvals.request_notices as n (person, due_at)
    select person, min(at) + interval '1 hour' from (${raw(found)}) f group by person order by person
    on conflict (person) do update
      set due_at = greatest(excluded.due_at, n.told_at + interval '1 day') where n.due_at is null`;
}
