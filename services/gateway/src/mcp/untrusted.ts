import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { asCameField, type JsonRecord, jsonNameOf, publicFields, rulesOf } from '@hearth/proto-json';
import { wakeUps } from '@hearth/webhooks';

/**
 * The parts of an answer that others than the home wrote, by the JSON Pointer (RFC 6901) of their places: `/messages/0/text`.
 * The pointer of the whole answer is empty.
 */
export type Untrusted = Record<string, unknown>;

/** An answer in which the home alone speaks, and beside it what others wrote. */
export interface Parted {
  own: JsonRecord;
  untrusted: Untrusted;
}

/** Takes out of a JSON value what is not the home's own. */
type Part = (json: JsonRecord, pointer: string, untrusted: Untrusted) => void;

/**
 * Parts an answer. Others' words are the fields that are declared `untrusted`, and every free-form value, since no
 * declaration says which of it is whose: passed-on data, signed records. The data of an event are declared by its name.
 * Takes the JSON apart that it is given.
 */
export function partAnswer(desc: DescMessage, json: JsonRecord): Parted {
  const untrusted: Untrusted = {};
  if (isFreeForm(desc)) return { own: {}, untrusted: { '': json } };
  partOf(desc)?.(json, '', untrusted);
  return { own: json, untrusted };
}

/** Whether answers of this type may hold what others wrote. */
export function mayHoldUntrusted(desc: DescMessage): boolean {
  return isFreeForm(desc) || partOf(desc) !== undefined;
}

const freeForm = new Set(['google.protobuf.Struct', 'google.protobuf.Value', 'google.protobuf.ListValue']);
const polledEvent = 'hearth.delivery.v1.PolledEvent';
const parts = new WeakMap<DescMessage, Part | null>();

function isFreeForm(desc: DescMessage): boolean {
  return freeForm.has(desc.typeName);
}

/** Undefined for a message in which nothing is anybody else's. */
function partOf(desc: DescMessage): Part | undefined {
  const known = parts.get(desc);
  if (known !== undefined) return known ?? undefined;
  const part = desc.typeName === polledEvent ? partEvent : partFields(desc);
  parts.set(desc, part ?? null);
  return part;
}

function partFields(desc: DescMessage): Part | undefined {
  if (!reaches(desc, new Set())) return undefined;
  const fields = publicFields(desc)
    .map(partField)
    .filter((part) => part !== undefined);
  const isAsCame = asCameField(desc) !== undefined;
  return (json, pointer, untrusted) => {
    for (const part of fields) part(json, pointer, untrusted);
    if (isAsCame) moveUnknown(desc, json, pointer, untrusted);
  };
}

/** Moves the members that another home added to what this one knows. */
function moveUnknown(desc: DescMessage, json: JsonRecord, pointer: string, untrusted: Untrusted): void {
  const fields = new Map(publicFields(desc).map((field) => [jsonNameOf(field), field]));
  for (const [name, value] of Object.entries(json)) {
    const place = `${pointer}/${escapeKey(name)}`;
    const field = fields.get(name);
    if (field === undefined) move(json, name, place, untrusted);
    else if (field.message !== undefined && typeof value === 'object' && value !== null) {
      const items = Array.isArray(value) ? value.map((one, index) => [one, `/${index}`]) : [[value, '']];
      for (const [item, at] of items) moveUnknown(field.message, item, place + at, untrusted);
    }
  }
}

function partField(field: DescField): Part | undefined {
  const name = jsonNameOf(field);
  const { message } = field;
  if (isOthers(field)) return (json, pointer, untrusted) => move(json, name, `${pointer}/${name}`, untrusted);
  if (message === undefined || !reaches(message, new Set())) return undefined;
  return (json, pointer, untrusted) => {
    const value = json[name];
    if (typeof value !== 'object' || value === null) return;
    // Looked up when it is needed, since a message may hold itself.
    const part = partOf(message);
    if (field.fieldKind === 'message') return part?.(value as JsonRecord, `${pointer}/${name}`, untrusted);
    for (const [key, item] of Object.entries(value)) {
      part?.(item as JsonRecord, `${pointer}/${name}/${escapeKey(key)}`, untrusted);
    }
  };
}

/** Whether others wrote anything in it; `met` are the messages on the way to it. */
function reaches(desc: DescMessage, met: Set<DescMessage>): boolean {
  if (desc.typeName === polledEvent) return true;
  if (met.has(desc)) return false;
  met.add(desc);
  return desc.fields.some(
    (field) => isOthers(field) || (field.message !== undefined && reaches(field.message, met)),
  );
}

function isOthers(field: DescField): boolean {
  return rulesOf(field).untrusted || (field.message !== undefined && isFreeForm(field.message));
}

const payloads = new Map(wakeUps.map(({ name, message }) => [name, message]));

function partEvent(json: JsonRecord, pointer: string, untrusted: Untrusted): void {
  const payload = payloads.get(String(json.name));
  const data = json.data;
  if (payload === undefined) move(json, 'data', `${pointer}/data`, untrusted);
  else if (typeof data === 'object' && data !== null) {
    partOf(payload)?.(data as JsonRecord, `${pointer}/data`, untrusted);
  }
}

function move(json: JsonRecord, name: string, pointer: string, untrusted: Untrusted): void {
  const value = json[name];
  if (value === undefined || value === null) return;
  untrusted[pointer] = value;
  delete json[name];
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
