import type { EventData } from './announcement.ts';

const types = new Map<string, string>();

/** The camelCase of protobuf-es ("messageSent") as the declaration writes it: "message_sent". */
export function eventType(data: EventData): string {
  const name = data.case ?? 'unknown';
  let type = types.get(name);
  if (type === undefined) {
    type = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    types.set(name, type);
  }
  return type;
}

/** Where events of a type travel on the bus: "message_sent" -> "event.message_sent". */
export function eventSubject(type: string): string {
  return `event.${type}`;
}
