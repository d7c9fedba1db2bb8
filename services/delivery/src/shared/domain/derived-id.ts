import { hash } from 'node:crypto';

/** A uuid for a second thing that follows from an event: the same each time, and of the same moment. */
export function derivedId(event: string, name: string): string {
  const time = event.replaceAll('-', '').slice(0, 12);
  const rest = hash('sha256', `${event} ${name}`).slice(0, 18);
  // Version 7, of the variant of RFC 9562.
  const hex = `${time}7${rest.slice(0, 3)}8${rest.slice(3, 18)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
