import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { asCameField, type JsonRecord, jsonNameOf, publicFields, rulesOf } from '@hearth/proto-json';
import { wakeUps } from '@hearth/webhooks';

/**
 * The parts of an answer by others than the home, keyed by JSON Pointer (RFC 6901): `/messages/0/text`.
 * The pointer of the whole answer is empty.
 */
export type Untrusted = Record<string, unknown>;

/** The home's own part of an answer, and the parts by others. */
export interface Parted {
  own: JsonRecord;
  untrusted: Untrusted;
}

/** Removes the parts by others from a JSON value. */
type Part = (json: JsonRecord, pointer: string, untrusted: Untrusted) => void;

/**
 * Splits an answer. Fields declared `untrusted` are by others, and so is every free-form value, such as passed-on data
 * and signed records, because no declaration covers its parts. An event's data are declared by its name.
 * Changes the given JSON.
 */
export function partAnswer(desc: DescMessage, json: JsonRecord): Parted {
  const untrusted: Untrusted = {};
  if (isFreeForm(desc)) return { own: {}, untrusted: { '': json } };
  partOf(desc)?.(json, '', untrusted);
  return { own: json, untrusted };
}

/** Whether answers of this type can contain text by others. */
export function mayHoldUntrusted(desc: DescMessage): boolean {
  return isFreeForm(desc) || partOf(desc) !== undefined;
}

const freeForm = new Set(['google.protobuf.Struct', 'google.protobuf.Value', 'google.protobuf.ListValue']);
const polledEvent = 'hearth.delivery.v1.PolledEvent';
const parts = new WeakMap<DescMessage, Part | null>();

function isFreeForm(desc: DescMessage): boolean {
  return freeForm.has(desc.typeName);
}

/** Undefined for a message without parts by others. */
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

/** Moves members that another home added to those known here. */
function moveUnknown(desc: DescMessage, json: JsonRecord, pointer: string, untrusted: Untrusted): void {
  const fields = new Map(publicFields(desc).map((field) => [jsonNameOf(field), field]));
  for (const [name, value] of Object.entries(json)) {
    const place = `${pointer}/${escapeKey(name)}`;
    const field = fields.get(name);
    if (field === undefined) move(json, name, place, untrusted);
    else if (field.message !== undefined && typeof value === 'object' && value !== null) {
      const items = Array.isArray(value)
        ? value.map((element, index) => [element, `/${index}`])
        : [[value, '']];
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
    // Looked up lazily, because a message can contain itself.
    const part = partOf(message);
    if (field.fieldKind === 'message') return part?.(value as JsonRecord, `${pointer}/${name}`, untrusted);
    for (const [key, item] of Object.entries(value)) {
      part?.(item as JsonRecord, `${pointer}/${name}/${escapeKey(key)}`, untrusted);
    }
  };
}

/** Whether it has parts by others; `met` are the messages on the path to it. */
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
