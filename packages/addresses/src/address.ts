import { isAiSlug } from './ai-name.ts';
import { isHandle } from './handle.ts';
import { type HomeNameOptions, isHomeName } from './home-name.ts';

interface At {
  handle: string;
  /** The home it is on, when that is another one than the reader's. */
  home?: string;
}

export interface PersonAddress extends At {
  kind: 'person';
}

export interface AiAddress extends At {
  kind: 'ai';
  /** The part behind `.ai-`. */
  name: string;
  /** It runs the group of that handle, rather than being an AI of the person of that handle. */
  ofGroup?: true;
}

export interface GroupAddress extends At {
  kind: 'group';
}

export type Address = PersonAddress | AiAddress | GroupAddress;

export interface AddressOptions extends HomeNameOptions {
  /** The reader's own home: an address that names it is read as a local one. */
  ownHome?: string;
}

const maxAddressLength = 400;

/**
 * Reads an address, or gives null for what is none.
 *
 *     local    @<handle>   @<handle>.ai-<name>   &<handle>   &<handle>.ai-<name>
 *     elsewhere <handle>@<home>   <handle>.ai-<name>@<home>   &<handle>@<home>   &<handle>.ai-<name>@<home>
 *
 * As people write them, an address elsewhere may also begin with `@`, and ASCII capitals count as small
 * letters. Machines must send the canonical spelling: see isCanonicalAddress.
 */
export function parseAddress(text: string, options: AddressOptions = {}): Address | null {
  if (text.length > maxAddressLength) return null;
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const sigil = lower[0] === '@' || lower[0] === '&' ? lower[0] : '';
  const rest = lower.slice(sigil.length);
  const at = rest.indexOf('@');
  // Without a home the sigil alone tells an address from a word.
  if (at < 0) return sigil === '' ? null : parseLocalPart(rest, sigil);

  const home = rest.slice(at + 1);
  const local = parseLocalPart(rest.slice(0, at), sigil);
  if (local === null) return null;
  if (home === options.ownHome) return local;
  return isHomeName(home, options) ? { ...local, home } : null;
}

function parseLocalPart(text: string, sigil: string): Address | null {
  const dot = text.indexOf('.');
  const handle = dot < 0 ? text : text.slice(0, dot);
  if (!isHandle(handle)) return null;
  if (dot < 0) return { kind: sigil === '&' ? 'group' : 'person', handle };
  const suffix = text.slice(dot + 1);
  if (!suffix.startsWith('ai-')) return null;
  const name = suffix.slice('ai-'.length);
  if (!isAiSlug(name)) return null;
  return { kind: 'ai', handle, name, ...(sigil === '&' && { ofGroup: true }) };
}

/** The one canonical text of an address. */
export function printAddress(address: Address): string {
  const local = address.kind === 'ai' ? `${address.handle}.ai-${address.name}` : address.handle;
  const group = address.kind === 'group' || (address.kind === 'ai' && address.ofGroup === true);
  if (address.home === undefined) return `${group ? '&' : '@'}${local}`;
  return `${group ? '&' : ''}${local}@${address.home}`;
}

/** The address as another home must see it: with `ownHome` where it names none. */
export function printFullAddress(address: Address, ownHome: string): string {
  return printAddress({ ...address, home: address.home ?? ownHome });
}

/** The canonical address with its home: "@ana" of home.example is "ana@home.example". One that has a home, and '', stay. */
export function withHome(address: string, home: string): string {
  if (address === '' || address.indexOf('@') > 0) return address;
  return `${address.startsWith('@') ? address.slice(1) : address}@${home}`;
}

/** The canonical address as that home has it: one of its own without its home. */
export function asAt(address: string, home: string): string {
  if (!address.endsWith(`@${home}`)) return address;
  const own = address.slice(0, -home.length - 1);
  return own.startsWith('&') ? own : `@${own}`;
}

/** Whether `text` is an address in its canonical form, as records and other homes must carry it. */
export function isCanonicalAddress(text: string, options: HomeNameOptions = {}): boolean {
  const address = parseAddress(text, options);
  return address !== null && printAddress(address) === text;
}

export function sameAddress(one: Address, other: Address): boolean {
  return printAddress(one) === printAddress(other);
}
