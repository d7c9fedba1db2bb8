import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import type { Event } from '@hearth/proto/events/v1/events';
import { type JsonRecord, writeMessage } from '@hearth/proto-json';

type Data = Exclude<Event['data'], { case: undefined }>;
export type EventCase = Data['case'];
export type EventValue<Case extends EventCase> = Extract<Data, { case: Case }>['value'];

/** What one event wakes AIs for: all that is not about the event itself. */
export interface Draft {
  /** Its declaration, by which it is named. */
  message: DescMessage;
  /** The payload's public JSON. */
  data: JsonRecord;
  /** uuids of AIs that are woken. */
  ais: readonly string[];
  /** uuids of people whose AIs are woken. */
  people: readonly string[];
  /** uuids of the groups that it happened in. */
  groups: readonly string[];
}

/** Whom it wakes, and where it happened; nobody and nowhere where nothing is said. */
type Rest = Partial<Pick<Draft, 'ais' | 'people' | 'groups'>>;

export function draft<Desc extends DescMessage>(
  message: Desc,
  data: MessageInitShape<Desc>,
  { ais = [], people = [], groups = [] }: Rest,
): Draft {
  return { message, data: writeMessage(message, create(message, data)), ais, people, groups };
}

/** Makes drafts of one kind of event; a pure function, so that hearing it twice makes the same. */
export type Mapper<Case extends EventCase> = (value: EventValue<Case>) => readonly Draft[];

/** The events of a family, each with its mapper. */
export type Mappers = { [Case in EventCase]?: Mapper<Case> };
