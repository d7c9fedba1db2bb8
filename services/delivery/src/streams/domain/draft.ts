import { create, type DescMessage, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import type { JsonRecord } from '@hearth/proto-json';
import type { EventCase, EventValue } from '../../shared/domain/event-data.ts';

/** One wake-up of an event: all that is not about the event itself. */
export interface Draft {
  /** Its declaration, which has its name. */
  message: DescMessage;
  /** The payload. */
  data: Message;
  /** uuids of AIs that are woken. */
  ais: readonly string[];
  /** uuids of people whose AIs are woken. */
  people: readonly string[];
  /** uuids of the groups that it happened in. */
  groups: readonly string[];
}

/** @param rest the AIs and people that it wakes, and its groups; none where nothing is said */
export function draft<Desc extends DescMessage>(
  message: Desc,
  data: MessageInitShape<Desc>,
  { ais = [], people = [], groups = [] }: Partial<Pick<Draft, 'ais' | 'people' | 'groups'>>,
): Draft {
  return { message, data: create(message, data), ais, people, groups };
}

/** Makes drafts of one kind of event; a pure function, so that an event that comes twice makes the same. */
export type Mapper<Case extends EventCase> = (value: EventValue<Case>) => readonly Draft[];

/** The events of a family, each with its mapper. */
export type Mappers = { [Case in EventCase]?: Mapper<Case> };

/** A wake-up before it is known which AIs are listening. */
export interface DraftedWakeUp extends Pick<Draft, 'ais' | 'people' | 'groups'> {
  /** uuid: the event's, or derived of it when it is the second kind of wake-up of one event. */
  id: string;
  name: string;
  at: Date;
  /** The payload's public JSON. */
  data: JsonRecord;
  /** Concerns AIs without an owner, too. */
  withoutOwner: boolean;
  /** uuid of the actor, whom their own act does not wake. */
  by: string;
}
