import { hash } from 'node:crypto';

/** Derives a uuid from another one and a name: the same each time, with the timestamp of `from`. */
export function derivedId(from: string, name: string): string {
  const time = from.replaceAll('-', '').slice(0, 12);
  const rest = hash('sha256', `${from} ${name}`).slice(0, 18);
  // Version 7, of the variant of RFC 9562.
  const hex = `${time}7${rest.slice(0, 3)}8${rest.slice(3, 18)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
