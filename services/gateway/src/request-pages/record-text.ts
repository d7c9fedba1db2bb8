import { parseInstant } from '@hearth/signing';

const shownCharacters = 4_000;

/** A member of a record as the text that it may be; empty for anything else. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, shownCharacters) : '';
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? text(value) : undefined;
}

/** Milliseconds since 1970; undefined for anything but an instant. */
export function instant(value: unknown): number | undefined {
  return parseInstant(value) ?? undefined;
}
