/** The kinds of thing with public ids: `<prefix>_` and the 32 hex digits of a UUIDv7. */
const idPrefixes = [
  'per',
  'ai',
  'app',
  'grp',
  'inv',
  'apr',
  'pln',
  'thr',
  'pst',
  'cnv',
  'agr',
  'ofr',
  'mtg',
  'sub',
  'evt',
  'rec',
  'rpt',
  'nte',
  'msg',
  'shp',
  'fbk',
  'ses',
  'pky',
  'act',
] as const;

export type IdPrefix = (typeof idPrefixes)[number];

const hex32 = /^[0-9a-f]{32}$/;

/** The public id of a uuid: `msg_0190...`. */
export function printId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${uuid.replaceAll('-', '')}`;
}

/** The uuid of a public id of this kind; null for any other text. */
export function parseId(prefix: IdPrefix, text: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null;
  const hex = text.slice(prefix.length + 1);
  if (!hex32.test(hex)) return null;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the text is a uuid as the database prints it: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return uuidText.test(text);
}
