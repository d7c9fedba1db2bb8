import { parseInstant } from '@hearth/signing';

const shownCharacters = 4_000;

/** A record's member as text; empty for any other type. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, shownCharacters) : '';
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? text(value) : undefined;
}

/** Milliseconds since 1970; undefined unless it is an instant. */
export function instant(value: unknown): number | undefined {
  return parseInstant(value) ?? undefined;
}
