import { type Event, EventSchema } from '@hearth/proto/events/v1/events';

export type EventData = Exclude<Event['data'], { case: undefined }>;
export type EventCase = EventData['case'];
export type EventValue<Case extends EventCase> = Extract<EventData, { case: Case }>['value'];

/** The events that a table of mappers covers, by the names under which they are consumed. */
export function typesOf(mappers: Partial<Record<EventCase, unknown>>): string[] {
  const fields = EventSchema.oneofs[0]!.fields;
  return fields.filter(({ localName }) => localName in mappers).map(({ name }) => name);
}
