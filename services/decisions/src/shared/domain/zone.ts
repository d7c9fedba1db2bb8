import { isDay, readInstant } from '@hearth/calendar';
import { zoneNamed } from '@hearth/calendar/time-zone';
import { badField } from '@hearth/errors';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';

/** The zone for times: the given one, else the group's; null if neither is set. @throws bad_field */
export function zoneFor(given: string | undefined, group: Pick<GroupFacts, 'timeZone'>): string | null {
  if (given !== undefined && zoneNamed(given) === null)
    throw badField('time_zone', 'must be an IANA time zone such as Europe/Zurich, or UTC');
  return given ?? (group.timeZone || null);
}

/** Whether a remote home's time is absent, a day or an instant, and its zone, if given, exists. */
export function isTime(time: string | undefined, zone: string | undefined): boolean {
  if (zone !== undefined && zoneNamed(zone) === null) return false;
  return time === undefined || isDay(time) || readInstant(time) === time;
}
