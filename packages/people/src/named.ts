import { type HomeNames, parseAddress, parseEmail, printAddress } from '@hearth/addresses';
import type { PartyKind } from './party.ts';

/** A participant, as a caller refers to them. */
export type Named =
  | { by: 'id'; id: string }
  | { by: 'email'; email: string }
  /** `home` is null for a local address. */
  | { by: 'address'; kind: PartyKind; address: string; home: string | null };

/**
 * Reads `per_...`, `shp_...`, an address in any spelling, or an email address. `ada@example.com` is an email address
 * unless example.com is this home; `@ada@example.com` is a person of another home. Null for any other text.
 */
export function readNamed(text: string, homeNames: HomeNames): Named | null {
  if (/^(?:per|shp)_/.test(text)) return { by: 'id', id: text };
  const address = parseAddress(text, homeNames);
  // Without a sigil, a remote address reads as an email address, unless it names an AI.
  const mayMail = !/^[@&]/.test(text) && address?.kind !== 'ai';
  const email = mayMail && (address === null || address.home !== undefined) ? parseEmail(text) : null;
  if (email !== null) return { by: 'email', email };
  if (address === null) return null;
  return { by: 'address', kind: address.kind, address: printAddress(address), home: address.home ?? null };
}
