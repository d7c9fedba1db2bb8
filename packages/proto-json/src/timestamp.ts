import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { asTyped } from '@hearth/addresses';
import { internal } from '@hearth/errors';

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const longest = 35;
// The range of google.protobuf.Timestamp: years 1 to 9999, in seconds.
const earliest = -62_135_596_800;
const latest = 253_402_300_799;

// Times as people and libraries write them: without seconds, an offset without colon or minutes, a space for the T. A `+`
// in a query arrives as a space if it was not escaped.
const typed =
  /^(\d{4}-\d\d-\d\d)(?:T| +)(\d\d:\d\d)(?::(\d\d(?:[.,]\d{1,9})?))? *(?:(Z|UTC|GMT)|([+-])(\d\d)(?::?(\d\d))?)$/;
const longestTyped = 60;

/**
 * Parses a caller's time with Z or an offset; null if it is invalid or ambiguous. Homes use only `parseTimestamp` for
 * each other's times.
 */
export function readTypedTimestamp(text: string): Timestamp | null {
  if (text.length > longestTyped) return null;
  const plain = asTyped(text)
    .replaceAll('\u2212', '-')
    .toUpperCase()
    .replace(/ (\d\d:\d\d)$/, '+$1');
  const [, day, time, seconds = '00', zero, sign, hours, minutes = '00'] = typed.exec(plain) ?? [];
  if (day === undefined) return null;
  const offset = zero === undefined ? `${sign === '-' ? '-' : '+'}${hours}:${minutes}` : 'Z';
  return parseTimestamp(`${day}T${time}:${seconds.replace(',', '.')}${offset}`);
}

/** Parses an RFC 3339 time with any offset; null if `text` is none. Keeps nanoseconds. */
export function parseTimestamp(text: string): Timestamp | null {
  const parts = text.length <= longest ? rfc3339.exec(text) : null;
  if (!parts) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours, offsetMinutes] = parts;
  if (+hour! > 23 || +minute! > 59 || +second! > 59) return null;
  if (+day! < 1 || +day! > daysInMonth(+year!, +month!)) return null;
  let seconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
  if (sign) {
    if (+offsetHours! > 23 || +offsetMinutes! > 59) return null;
    const offset = +offsetHours! * 3600 + +offsetMinutes! * 60;
    seconds += sign === '+' ? -offset : offset;
  }
  if (!(seconds >= earliest && seconds <= latest)) return null;
  return {
    $typeName: 'google.protobuf.Timestamp',
    seconds: BigInt(seconds),
    nanos: Number(fraction.padEnd(9, '0')),
  };
}

function daysInMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `2026-07-01T09:30:00.000Z`: UTC, always with milliseconds; finer fractions are truncated. */
export function printTimestamp(time: Timestamp): string {
  const seconds = Number(time.seconds);
  if (!(seconds >= earliest && seconds <= latest)) throw internal(`a time out of range: ${seconds} seconds`);
  return new Date(seconds * 1000 + Math.floor(time.nanos / 1_000_000)).toISOString();
}
