import { isJsonObject, type JsonObject } from '@hearth/signing';
import { quoted } from '../plain.ts';

type Row = readonly [name: string, value: string];

/** Describes the outcome of an agreement, decision, plan or meeting; for other records, the type and id. */
export function outcomeRows(record: JsonObject): Row[] {
  const { type, id, subject, status, outcome } = record;
  const about = objectOf(record[String(objectOf(subject).kind)]);
  return [
    ['type', quoted(String(type ?? ''), 60)],
    ...textRow('about', about.title),
    ...textRow('terms', about.terms),
    ...textRow('outcome', objectOf(outcome).summary),
    ...textRow('when', objectOf(outcome).when ?? objectOf(outcome).starts_at ?? about.starts_at),
    ...sidesOf(record).map((side): Row => ['with', sideWords(side)]),
    ...textRow('status', status),
    ...textRow('record', id, 100),
  ];
}

/** The two sides of a meeting are members; other records list their sides. */
function sidesOf({ sides, approvals, people, meeting }: JsonObject): JsonObject[] {
  const { offered_by: host, booked_by: guest } = objectOf(meeting);
  const lists = [sides, approvals, people].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...lists, ...[host, guest].filter((side) => side !== undefined)].map(objectOf);
}

function sideWords({ name, address, to, decision, settled, signed_at: signed }: JsonObject): string {
  const at = quoted(String(address ?? to ?? ''), 200);
  const party = name === undefined ? at : `${quoted(String(name), 80)} (${at})`;
  const said = decision ?? settled;
  if (said !== undefined) return `${party}: ${quoted(String(said), 60)}`;
  return signed === undefined ? party : `${party}: signed on ${quoted(String(signed), 60)}`;
}

function textRow(name: string, value: unknown, most?: number): Row[] {
  return typeof value === 'string' && value !== '' ? [[name, quoted(value, most)]] : [];
}

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
