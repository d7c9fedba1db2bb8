import type { EventData } from './announcement.ts';

const types = new Map<string, string>();

/** Converts protobuf-es's camelCase ("messageSent") to the declared name ("message_sent"). */
export function eventType(data: EventData): string {
  const name = data.case ?? 'unknown';
  let type = types.get(name);
  if (type === undefined) {
    type = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    types.set(name, type);
  }
  return type;
}

/** The bus subject of an event type: "message_sent" -> "event.message_sent". */
export function eventSubject(type: string): string {
  return `event.${type}`;
}
