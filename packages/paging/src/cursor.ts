import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';

interface PartTypes {
  /** A moment in whole milliseconds. */
  time: Date;
  uuid: string;
  /** A whole number from 0 to 2^53 - 1. */
  number: number;
  /** 1 to 400 characters, without NUL; only the last part may contain commas. */
  text: string;
}

export type CursorParts = Readonly<Record<string, keyof PartTypes>>;

/** A position in a list, by the columns that order it. */
export type PlaceOf<Parts extends CursorParts> = { [Name in keyof Parts]: PartTypes[Parts[Name]] };

/** Encodes a position in a list as opaque text for callers. */
export interface Cursor<Place> {
  print(place: Place): string;
  /** @throws bad_field (cursor) if the text isn't a cursor of such a list */
  read(text: string): Place;
}

/** @param parts the columns that order the list, in order, with their types */
export function cursorOf<const Parts extends CursorParts>(parts: Parts): Cursor<PlaceOf<Parts>> {
  const names = Object.keys(parts);
  return {
    print(place) {
      const values = names.map((name) => printPart(place[name as keyof Parts]));
      return Buffer.from(values.join(',')).toString('base64url');
    },
    read(text) {
      const printed = Buffer.from(text, 'base64url').toString();
      // A text part accepts nearly any decoded bytes, so the encoding must match exactly.
      if (Buffer.from(printed).toString('base64url') !== text) throw unreadable();
      const values = printed.split(',');
      const last = values.splice(names.length - 1).join(',');
      const entries = [...values, last].map((value, index) => {
        const name = names[index] as string;
        return [name, readPart(parts[name] as keyof PartTypes, value)] as const;
      });
      if (entries.length !== names.length || entries.some(([, value]) => value === null)) throw unreadable();
      return Object.fromEntries(entries) as PlaceOf<Parts>;
    },
  };
}

function printPart(value: PartTypes[keyof PartTypes]): string {
  return value instanceof Date ? String(value.getTime()) : String(value);
}

function readPart(type: keyof PartTypes, text: string): PartTypes[keyof PartTypes] | null {
  switch (type) {
    case 'time':
      return /^\d{1,15}$/.test(text) ? new Date(Number(text)) : null;
    case 'number':
      return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
    case 'uuid':
      return isUuid(text) ? text : null;
    case 'text':
      return /^[^\0]{1,400}$/.test(text) ? text : null;
  }
}

function unreadable() {
  return badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
}
