import type { GroupSnapshot, PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { EventCase, EventValue } from '../../shared/domain/event-data.ts';

/** A row without its moment and its actor. */
export interface Draft {
  /** "member.joined"; as the webhook's type where there is one. */
  action: string;
  /** A short sentence without its full stop. Never an id, address or handle. */
  summary: string;
  /** uuid of the group that it happened in. */
  group?: string;
  /** The person that it is about. */
  about?: Pick<PersonSnapshot, 'id' | 'minor'> | undefined;
  /** uuids of those in whose lists it stands, besides the actor and the person that it is about. Empty ones are left out. */
  subjects: readonly string[];
  itemRef?: string;
}

/** Makes rows of one kind of event. `who` did it, in words; null when it happened by itself. */
export type Mapper<Case extends EventCase> = (value: EventValue<Case>, who: string | null) => Draft | Draft[];

/** The events of a family, each with its mapper. */
export type Mappers = { [Case in EventCase]?: Mapper<Case> };

/** "Ada made it", or the second when no actor is known. */
export function sentence(who: string | null, active: string, passive: string): string {
  return who === null ? passive : `${who} ${active}`;
}

export const nameOf = (person: PersonSnapshot | undefined) => person?.name || 'Somebody';

export const groupName = (group: GroupSnapshot | undefined) => group?.name || 'a group';

const fieldNames: Record<string, string> = {
  age_band: 'age band',
  ai_share: 'AI sharing',
  ends_at: 'end',
  owner_private: 'whether its owner shows',
  redirect_uris: 'redirect addresses',
  time_zone: 'time zone',
  webhook_url: 'webhook address',
};

/** "name, time zone and settings". */
export function fieldsInWords(changed: readonly string[]): string {
  const fields = changed.map((field) => fieldNames[field] ?? field.replaceAll('_', ' '));
  const last = fields.pop() ?? 'something';
  return fields.length === 0 ? last : `${fields.join(', ')} and ${last}`;
}
