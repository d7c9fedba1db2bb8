import type { EventData } from './outbox.ts';

/** The camelCase of protobuf-es ("messageSent") as the declaration writes it: "message_sent". */
export function eventType(data: EventData): string {
  return (data.case ?? 'unknown').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Where events of a type travel on the bus: "message_sent" -> "event.message_sent". */
export function eventSubject(type: string): string {
  return `event.${type}`;
}
