import { readClaimedKid } from '@hearth/signing';

/** A record's claims about itself, before they are verified. */
export interface Claims {
  home: string | null;
  type: string | null;
  /** From the protected header; null if that is unreadable. */
  typ: string | null;
  /** The key named in the protected header; null if that is unreadable. */
  kid: string | null;
}

const maxHeaderCharacters = 2_048;

/** Reads the claims of a record. Never throws, whatever the record holds. */
export function claimsOf(record: Readonly<Record<string, unknown>>): Claims {
  const { home, origin, type, signature } = record;
  const typ = typOf(signature);
  // Items between homes have `origin` and `destination` instead of `home`.
  return {
    home: textOf(typ === 'svc-envelope+jws' ? origin : home),
    type: textOf(type),
    typ,
    kid: readClaimedKid(signature),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 300 ? value : null;
}

function typOf(signature: unknown): string | null {
  const header = (signature as { protected?: unknown } | null | undefined)?.protected;
  if (typeof header !== 'string' || header.length > maxHeaderCharacters) return null;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    const typ = (parsed as { typ?: unknown } | null)?.typ;
    return typeof typ === 'string' ? typ : null;
  } catch {
    return null;
  }
}
